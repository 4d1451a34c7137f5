import type { MigrationInterface, QueryRunner } from 'typeorm';

const KEPT = `WHERE status = 'done' AND recording_purged_at IS NULL`;

/**
 * What retention walks is in the order in which recordings fall due, also of a deleted connection, where the rows say how long each is kept: a run walked
 * all of these before. The version before uses this index as well as the one that it replaces.
 */
export class KeptRecordings1766970000000 implements MigrationInterface {
  name = 'KeptRecordings1766970000000';

  /** Gateways that run go on: sessions wait while the index is built. An attempt that was interrupted is done again. */
  transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX IF EXISTS sessions_kept_index');
    await db.query(
      `CREATE INDEX sessions_kept_index ON sessions (org_id, connection_id, coalesce(retention_days, 0), end_date, id) ${KEPT}`,
    );
    await db.query('DROP INDEX IF EXISTS sessions_retention_index');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX IF EXISTS sessions_retention_index');
    await db.query(
      `CREATE INDEX sessions_retention_index ON sessions (org_id, connection_id, end_date, id) ${KEPT}`,
    );
    await db.query('DROP INDEX IF EXISTS sessions_kept_index');
  }
}
