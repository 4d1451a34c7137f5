import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Somebody asks for the end of a session: the reason, and every gateway hears of it. */
export class SessionKill1764200000000 implements MigrationInterface {
  name = 'SessionKill1764200000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE sessions ADD COLUMN stop_reason text;

      -- The few that are asked to end and have not yet: gateways look for theirs, however many others run.
      CREATE INDEX sessions_stopped_index ON sessions (org_id, gateway_id)
        WHERE stop_reason IS NOT NULL AND status <> 'done';

      CREATE TRIGGER sessions_stop_tell AFTER UPDATE OF stop_reason ON sessions
        FOR EACH ROW WHEN (OLD.stop_reason IS DISTINCT FROM NEW.stop_reason)
        EXECUTE FUNCTION tell_gateways('id');
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TRIGGER sessions_stop_tell ON sessions;
      DROP INDEX sessions_stopped_index;
      ALTER TABLE sessions DROP COLUMN stop_reason;
    `);
  }
}
