import { Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { ClientBase } from 'pg';
import { entriesAtMost } from '../../../kernel/runtime/entries-at-most';
import { sqlStateOfError } from './sql-state';

/**
 * Statements that may have a name. Each costs the server some 20 to 100 kB for each connection that used it.
 */
const MOST_NAMED = 400;
/** Texts that are counted until they are used often enough. */
const MOST_COUNTED = 2_000;
const NAMED_FROM_USE = 3;
const LONGEST_TEXT = 16 * 1024;

/**
 * Lists and counts are planned for their values each time: how many rows a filter
 * leaves decides which index is the right one. A list is a statement with a limit in
 * its text (a limit that is a parameter does not count).
 */
const LIST_OR_COUNT = /\bLIMIT (?!1\b)\d|\bcount\(/i;

/**
 * So are reads of tables with a partition for each month: a plan for all values locks every month, and
 * retention, which drops one, would wait for those who read another.
 */
const BY_MONTH = /\b(?:FROM|JOIN|UPDATE)\s+"?session_(?:chunks|texts)\b/i;

/** The server, or a pooler in front of it, does not know the statement of a name, or has another one. */
const UNKNOWN_NAME = new Set(['26000', '42P05']);

/**
 * Whether a statement failed because of its name: the server does not know it, or its table has changed so
 * that its result has another type. The statement did nothing, and succeeds when it is repeated.
 */
export function failedByName(error: unknown): boolean {
  const state = sqlStateOfError(error) ?? '';
  return UNKNOWN_NAME.has(state) || (state === '0A000' && /cached plan/.test(String(error)));
}

/**
 * Names statements that are used again and again: the server parses and plans such a statement once for each
 * connection instead of each time. That holds for every statement of a pool, also those that TypeORM writes.
 */
export class PreparedStatements {
  private readonly log = new Logger('Database');
  private readonly names = new Map<string, string>();
  private readonly uses = new LRUCache<string, number>(entriesAtMost(MOST_COUNTED));
  /**
   * Part of each name. After a failure, statements get new names on all
   * connections: a table changes for all of them.
   */
  private generation = 0;
  /** False as soon as names turn out not to work. */
  private isOn = true;

  /** For `onConnect` of a pool. */
  readonly prepareOn = (client: ClientBase): void => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    client.query = ((...given: unknown[]) => {
      const [text, values] = given;
      const name = typeof text === 'string' && given.length === 2 ? this.nameOf(text, values) : undefined;
      if (name === undefined) return query(...given);
      const { generation } = this;
      const answer = query({ name: `${name}_${generation}`, text, values }) as Promise<unknown>;
      return answer.catch((error: unknown) => {
        if (failedByName(error)) this.noticeFailure(error, generation);
        throw error;
      });
    }) as ClientBase['query'];
  };

  private nameOf(text: string, values: unknown): string | undefined {
    if (!this.isOn || !Array.isArray(values) || values.length === 0) return undefined;
    const known = this.names.get(text);
    if (known !== undefined || this.names.size >= MOST_NAMED || text.length > LONGEST_TEXT) return known;
    const uses = (this.uses.get(text) ?? 0) + 1;
    this.uses.set(text, uses);
    if (uses < NAMED_FROM_USE || LIST_OR_COUNT.test(text) || BY_MONTH.test(text)) return undefined;
    this.uses.delete(text);
    const name = `gateway_${this.names.size + 1}`;
    this.names.set(text, name);
    return name;
  }

  private noticeFailure(error: unknown, generation: number): void {
    if (generation === this.generation) this.generation += 1;
    if (!this.isOn || !UNKNOWN_NAME.has(sqlStateOfError(error) ?? '')) return;
    this.isOn = false;
    this.log.warn(
      'Named prepared statements do not work on this database, so they are off: is there a pooler in transaction mode? Set DATABASE_PREPARED_STATEMENTS=false',
    );
  }
}
