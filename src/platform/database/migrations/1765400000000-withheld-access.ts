import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What may be changed of a credential, as an array of SQL; of one that stands for a review, more. */
const CHANGING = ['revoked_at'];
const CHANGING_BY_REVIEW = ['begun_at', 'expire_at', 'iterations', 'salt', 'stored_key', 'server_key'];

/** Access whose owner may not use it any more is told of, once: the groups that they had, and when it was told. */
export class WithheldAccess1765400000000 implements MigrationInterface {
  name = 'WithheldAccess1765400000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE connection_credentials ADD COLUMN owner_groups text[], ADD COLUMN withheld_at timestamptz;
      CREATE INDEX connection_credentials_live_index ON connection_credentials
        (org_id, (coalesce(expire_at, 'infinity'))) WHERE revoked_at IS NULL AND withheld_at IS NULL;
    `);
    await keepIssued(
      db,
      [...CHANGING, 'withheld_at'],
      'OLD.withheld_at IS NOT NULL AND NEW.withheld_at IS DISTINCT FROM OLD.withheld_at',
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await keepIssued(db, CHANGING, 'false');
    await db.query(`
      DROP INDEX connection_credentials_live_index;
      ALTER TABLE connection_credentials DROP COLUMN owner_groups, DROP COLUMN withheld_at;
    `);
  }
}

/** As migration ApprovedAccess has it, but for what changes, and what else is refused. */
async function keepIssued(db: QueryRunner, changing: readonly string[], refused: string): Promise<void> {
  const list = (columns: readonly string[]): string => `ARRAY['${columns.join("', '")}']`;
  const changes = `CASE WHEN OLD.review_id IS NULL THEN ${list(changing)}
    ELSE ${list([...changing, ...CHANGING_BY_REVIEW])} END`;
  await db.query(`
    DROP TRIGGER connection_credentials_stay ON connection_credentials;
    CREATE TRIGGER connection_credentials_stay BEFORE UPDATE ON connection_credentials
      FOR EACH ROW WHEN (
        OLD.revoked_at IS NOT NULL
        OR (OLD.begun_at IS NOT NULL AND (NEW.begun_at, NEW.expire_at) IS DISTINCT FROM (OLD.begun_at, OLD.expire_at))
        OR (${refused})
        OR to_jsonb(OLD) - ${changes} <> to_jsonb(NEW) - ${changes})
      EXECUTE FUNCTION keep_issued();
  `);
}
