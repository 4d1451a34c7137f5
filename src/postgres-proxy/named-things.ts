import { LRUCache } from 'lru-cache';
import type { InFlight, Portal, Statement } from './in-flight';

/** UTF-16 code units of the texts that are remembered; the oldest are forgotten, and judged as if made by SQL. */
const REMEMBERED = 32 * 1024 * 1024;
const PORTALS = 10_000;

/** The prepared statements and portals of a client, by the names it gave them, also those on their way. */
export class NamedThings {
  private readonly statements = new LRUCache<string, Statement>({
    maxSize: REMEMBERED,
    sizeCalculation: ({ text }, name) => text.length + name.length + 200,
  });
  private readonly portals = new Map<string, Portal>();

  constructor(private readonly inFlight: InFlight) {}

  /** What a name may stand for when the server gets there: of two, the one that is on its way may fail. */
  statementsNamed(name: string): readonly Statement[] {
    const coming = this.inFlight.parsing(name);
    const known = this.statements.get(name);
    if (coming === undefined) return known === undefined ? [] : [known];
    return known === undefined ? [coming] : [coming, known];
  }

  portalNamed(name: string): Portal | undefined {
    return this.inFlight.binding(name) ?? this.portals.get(name);
  }

  parsed(name: string, statement: Statement): void {
    this.statements.set(name, statement);
  }

  bound(name: string, portal: Portal): void {
    this.portals.set(name, portal);
    if (this.portals.size > PORTALS) this.portals.delete(this.portals.keys().next().value as string);
  }

  allClosed(): void {
    this.statements.clear();
    this.portals.clear();
  }

  closed(name: string, isPortal: boolean): void {
    if (isPortal) this.portals.delete(name);
    else this.statements.delete(name);
  }
}
