import { LRUCache } from 'lru-cache';
import type { AskCatalog } from '../../../gate/ports/guardrails';
import {
  type ExpectedAnswer,
  type PipelineState,
  type Portal,
  type Statement,
  isUndescribed,
} from './pipeline-state';
import { NamedSlots } from './named-slots';
import type { OpenTypes } from './open-types';
import { SessionOrigins } from './session-origins';
import { BIND, CLOSE, PARSE } from '../wire/types';

/**
 * Maximum total length of the remembered statements, in UTF-16 code units. Beyond it, the least recently used
 * statements are forgotten. A forgotten statement is judged as if SQL had prepared it.
 */
const REMEMBERED = 32 * 1024 * 1024;
const PORTALS = 10_000;

/** The client's prepared statements and portals by name, including those whose Parse or Bind is in flight. */
export class PreparedNames {
  /** Statements by name, each in a list of one element, because `statementsNamed` returns lists. */
  private readonly statements = new LRUCache<string, readonly [Statement]>({
    maxSize: REMEMBERED,
    sizeCalculation: ([{ text }], name) => text.length + name.length + 200,
  });
  private readonly portals = new NamedSlots<Portal>();
  /** Whether a portal was forgotten because there were too many. */
  private hasForgotten = false;

  readonly origins: SessionOrigins;

  /** @param ask queries the catalog of the target; see `GuardrailSet.judge`. */
  constructor(
    private readonly pipelineState: PipelineState,
    ask?: AskCatalog,
    readonly openTypes?: OpenTypes,
  ) {
    // SQL statements can use statements and portals that protocol messages made, by the same names.
    this.origins = new SessionOrigins(({ kind, name }) => {
      const statements =
        kind === 'prepared' ? this.statementsNamed(name) : this.portalNamed(name)?.statements;
      return (statements ?? []).map(({ text }) => text);
    }, ask);
  }

  /**
   * Returns the statements that a name may stand for when the server reads it. A Parse in flight may still
   * fail, so the earlier statement counts too.
   */
  statementsNamed(name: string): readonly Statement[] {
    const coming = this.pipelineState.parsing(name);
    const known = this.statements.get(name);
    if (coming === undefined) return known ?? [];
    return known === undefined || this.pipelineState.isSureOf(name) ? [coming] : [coming, ...known];
  }

  portalNamed(name: string): Portal | undefined {
    return this.pipelineState.binding(name) ?? this.portals.get(name);
  }

  /**
   * Whether the portal's result has, or may have, binary columns that are not described. The result of a
   * portal that SQL made has no binary columns.
   */
  isUndescribed(portal: Portal | undefined): boolean {
    return portal === undefined ? this.hasForgotten : isUndescribed(portal);
  }

  /** Records the statement or portal that the answered message made or closed. */
  answered(expected: ExpectedAnswer | undefined): void {
    if (expected?.name === undefined) return;
    const { kind, name, statement, portal, isPortal } = expected;
    if (kind === PARSE && statement !== undefined) this.statements.set(name, [statement]);
    if (kind === BIND && portal !== undefined) this.bound(name, portal);
    if (kind === CLOSE && isPortal === true) this.portals.delete(name);
    if (kind === CLOSE && isPortal === false) this.statements.delete(name);
  }

  /**
   * Must be called when a transaction ended. Messages that are still in flight belong to the next
   * transaction. Ends all portals, as the server does.
   */
  transactionEnded(): void {
    this.portals.clear();
    this.hasForgotten = false;
    if (!this.pipelineState.isIdle) return;
    this.origins.transactionEnded();
    this.openTypes?.transactionEnded();
  }

  allClosed(): void {
    this.statements.clear();
    this.portals.clear();
  }

  private bound(name: string, portal: Portal): void {
    this.portals.set(name, portal);
    if (this.portals.namedCount <= PORTALS) return;
    this.portals.deleteOldestNamed();
    this.hasForgotten = true;
  }
}
