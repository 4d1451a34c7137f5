import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Client } from 'pg';
import { onCatalog } from '../../../targets/postgres/on-catalog';
import type { PostgresSecret } from '../../../targets/postgres/target-tls';
import { withTimeout } from '../../../targets/postgres/with-timeout';
import { BUILT_IN_TYPES } from './built-in-types';
import type { MoneyStyle } from './numbers';
import type { TypeEntry, TypeTable } from './type-entry';
import { learnGenerated, learnTypes } from './type-query';
import { entriesAtMost } from '../../../kernel/runtime/entries-at-most';

/**
 * Lifetime of cached types in milliseconds. They expire, because a database may be recreated under the same
 * address.
 */
const KNOWN_FOR_MS = 60_000;
const TARGETS = 256;
const TYPES = 10_000;
const LEARN_WITHIN_MS = 10_000;
const MONEY = 790;
/** SQLSTATE of a statement that hit its own time limit. */
const QUERY_CANCELED = '57014';

/** Reason why a lookup gave no answer: the target took too long, or the query failed. */
export type LookupFailure = 'late' | 'failed';
/** Outcome of looking up a type. `unknown`: other sessions do not see the type in the catalog. */
export type TypeLookup = 'known' | 'unknown' | LookupFailure;

interface TargetTypes {
  readonly types: LRUCache<number, TypeEntry>;
  /**
   * Format of money; undefined before the first lookup, null if the printed samples of the target could not
   * be parsed.
   */
  money: MoneyStyle | null | undefined;
  /** Catalog queries in flight, by the object id of the type. */
  readonly asked: Map<number, Promise<LookupFailure | undefined>>;
}

/**
 * Looks up types in the targets' catalogs. Uses its own connections with the same secrets, so that it does
 * not disturb the clients' sessions, transactions and settings. Does not see types that are not committed
 * yet.
 */
@Injectable()
export class TypeCatalog {
  private readonly targets = new LRUCache<string, TargetTypes>(entriesAtMost(TARGETS));

  /** Returns the types for one session on the target. */
  forSession(secret: PostgresSecret): SessionTypes {
    const key = createHash('sha256')
      .update(JSON.stringify(Object.entries(secret)))
      .digest('base64');
    let known = this.targets.get(key);
    if (known === undefined) {
      known = {
        types: new LRUCache({ ...entriesAtMost(TYPES), ttl: KNOWN_FOR_MS }),
        money: undefined,
        asked: new Map(),
      };
      this.targets.set(key, known);
    }
    return new SessionTypes(secret, known);
  }
}

/**
 * The types for one session. Never replaces a type once found, so that equal values are always printed alike.
 */
export class SessionTypes implements TypeTable {
  private readonly log = new Logger(SessionTypes.name);
  private readonly found = new Map<number, TypeEntry>();
  private open: ReadonlyMap<number, TypeEntry> = new Map();

  constructor(
    private readonly secret: PostgresSecret,
    private readonly target: TargetTypes,
  ) {}

  find(oid: number): TypeEntry | undefined {
    if (oid === MONEY && this.target.money === undefined) return undefined;
    const own = BUILT_IN_TYPES.get(oid) ?? this.found.get(oid);
    if (own !== undefined) return own;
    const entry = this.open.get(oid) ?? this.target.types.get(oid);
    if (entry !== undefined) this.found.set(oid, entry);
    return entry;
  }

  get money(): MoneyStyle | undefined {
    return this.target.money ?? undefined;
  }

  /**
   * Sets the types that the session's open transaction created, which other sessions do not see. Replaces the
   * types that were set before.
   */
  takeOpen(types: ReadonlyMap<number, TypeEntry>): void {
    this.open = types;
  }

  /** Looks up a type, and the types that it contains, at the target. Never rejects. */
  async learn(oid: number): Promise<TypeLookup> {
    const { asked } = this.target;
    const asking = asked.get(oid) ?? this.learnType(oid).finally(() => asked.delete(oid));
    asked.set(oid, asking);
    const unanswered = await asking;
    if (this.find(oid) !== undefined) return 'known';
    return unanswered ?? 'unknown';
  }

  /**
   * Returns a map of the columns of a table, by number; true for a generated column. Contains committed
   * columns only. Returns undefined if the target gives no answer. Never rejects.
   */
  async generatedColumns(table: number): Promise<ReadonlyMap<number, boolean> | undefined> {
    const answer = await this.askTarget(`the columns of ${table}`, (client) => learnGenerated(client, table));
    return typeof answer === 'string' ? undefined : answer;
  }

  /** @returns the reason if the target gave no answer */
  private async learnType(oid: number): Promise<LookupFailure | undefined> {
    const learned = await this.askTarget(`the type ${oid}`, (client) => learnTypes(client, [oid]));
    if (typeof learned === 'string') return learned;
    for (const [found, entry] of learned.types) this.target.types.set(found, entry);
    this.target.money = learned.money ?? null;
    return undefined;
  }

  private async askTarget<T extends object>(
    what: string,
    ask: (client: Client) => Promise<T>,
  ): Promise<T | LookupFailure> {
    let isLate = false;
    try {
      return await withTimeout(LEARN_WITHIN_MS, undefined, (signal) => {
        signal.addEventListener('abort', () => (isLate = true), { once: true });
        return onCatalog(this.secret, 'access-gateway types', signal, ask);
      });
    } catch (error) {
      this.log.warn({ err: error, what }, 'The catalog of a target could not be queried');
      return isLate || (error as { code?: unknown }).code === QUERY_CANCELED ? 'late' : 'failed';
    }
  }
}
