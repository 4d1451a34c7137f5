import { sqlStateOfError } from '../../platform/database/faults/sql-state';
import type { PurgeConnection } from './purge-connection';
import { FIND_MONTHS, IS_NEEDED, SETTLE_MONTH } from './purge-statements';

/** A month with partitions of its own. */
export interface Month {
  /** Name of the month, such as `2026_01`. */
  readonly name: string;
  /** First session id of the month, and first session id of the next month. */
  readonly least: string;
  readonly bound: string;
}

/**
 * Outcome of an attempt to drop the partitions of a month.
 * - `needed`: a recording of the month must be kept
 * - `busy`: another database session reads or writes the month; try again
 */
export type MonthOutcome = 'dropped' | 'needed' | 'busy';

/**
 * Maximum wait for the lock of an old month, in which no session records. It is long enough for
 * PostgreSQL to cancel a blocking autovacuum.
 */
const OWN_LOCK_WITHIN_MS = 1_500;
/** Maximum wait for the lock of the parent tables, because all readers and recorders queue behind it. */
const SHARED_LOCK_WITHIN_MS = 100;
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';

export function monthsLongOver(db: PurgeConnection): Promise<Month[]> {
  return db.query<Month>(FIND_MONTHS);
}

/** Drops the partitions of a month if no recording in them must be kept. */
export async function dropMonth(db: PurgeConnection, runId: string, month: Month): Promise<MonthOutcome> {
  if (await isNeeded(db, month)) return 'needed';
  try {
    const dropped = await db.transaction(() => drop(db, runId, month));
    if (!dropped) return 'needed';
  } catch (error) {
    const state = sqlStateOfError(error);
    if (state === LOCK_NOT_AVAILABLE || state === DEADLOCK) return 'busy';
    throw error;
  }
  await db.transaction(() => db.query(SETTLE_MONTH, [runId, month.least, month.bound]));
  return 'dropped';
}

async function drop(db: PurgeConnection, runId: string, month: Month): Promise<boolean> {
  const own: string[] = [];
  for (const table of ['session_chunks', 'session_texts']) {
    const name = `${table}_${month.name}`;
    const [found] = await db.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [name]);
    if (found?.found === true) own.push(name);
  }
  await db.query(`SET LOCAL lock_timeout = ${OWN_LOCK_WITHIN_MS}`);
  await db.query(`LOCK TABLE ONLY ${own.join(', ')} IN ACCESS EXCLUSIVE MODE`);
  // From here on nothing is recorded in the month. The check finds every session with chunks, because a
  // session's row is stored before its first chunk.
  if (await isNeeded(db, month)) return false;
  await db.query(`SET LOCAL lock_timeout = ${SHARED_LOCK_WITHIN_MS}`);
  await db.query('LOCK TABLE ONLY session_chunks, ONLY session_texts IN ACCESS EXCLUSIVE MODE');
  await db.query(`DROP TABLE ${own.join(', ')}`);
  await db.query(
    'UPDATE retention_runs SET updated_at = now(), months_dropped = months_dropped + 1 WHERE id = $1',
    [runId],
  );
  return true;
}

async function isNeeded(db: PurgeConnection, { least, bound }: Month): Promise<boolean> {
  const [row] = await db.query<{ needed: boolean }>(IS_NEEDED, [least, bound]);
  return row?.needed !== false;
}
