import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The index, its columns, and what it had beside them before. */
const INDEXES = [
  {
    name: 'sessions_user_index',
    columns: 'org_id, user_subject, start_date, id',
    covers: 'identity_type, connection_name, type, verb, status',
    covered: 'identity_type',
  },
  {
    name: 'sessions_email_index',
    columns: 'org_id, user_email, start_date, id',
    covers: 'connection_name, type, verb, status',
  },
  {
    name: 'sessions_connection_index',
    columns: 'org_id, connection_name, start_date, id',
    covers: 'type, verb, status',
  },
  { name: 'sessions_type_index', columns: 'org_id, type, start_date, id', covers: 'verb, status' },
  { name: 'sessions_verb_index', columns: 'org_id, verb, start_date, id', covers: 'type, status' },
  { name: 'sessions_status_index', columns: 'org_id, status, start_date, id', covers: 'type, verb' },
] as const;

/**
 * The indexes of the list of sessions have the columns of its other filters, so that a second filter and a count read the index alone.
 * A change of the status wrote a new entry into each of them before, too: the indexes are wider, the writes are no more.
 */
export class CoveringSessionIndexes1766725000000 implements MigrationInterface {
  name = 'CoveringSessionIndexes1766725000000';

  /** Gateways that run go on: sessions wait while one index is built, not while all of them are. */
  transaction = false;

  async up(db: QueryRunner): Promise<void> {
    for (const { name, columns, covers } of INDEXES) await replace(db, name, columns, covers);
  }

  async down(db: QueryRunner): Promise<void> {
    for (const { name, columns, ...index } of INDEXES)
      await replace(db, name, columns, 'covered' in index ? index.covered : undefined);
  }
}

/** An attempt that was interrupted is done again: every step finds what the one before left. */
async function replace(
  db: QueryRunner,
  name: string,
  columns: string,
  covers: string | undefined,
): Promise<void> {
  const made = name.replace(/_index$/, '_next_index');
  await db.query(`DROP INDEX IF EXISTS ${made}`);
  await db.query(
    `CREATE INDEX ${made} ON sessions (${columns})${covers === undefined ? '' : ` INCLUDE (${covers})`}`,
  );
  // Statements of one text are one transaction.
  await db.query(`DROP INDEX ${name}; ALTER INDEX ${made} RENAME TO ${name}`);
}
