import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['guardrail_rules', 'guardrail_connections', 'connections'];

/**
 * Gateways remember which guard rails hold on a connection for as long as no change is told. Of rows they are told
 * already; a table that is emptied by TRUNCATE, as when a backup is read back, has no rows to tell of.
 */
export class GuardrailChanges1764800000000 implements MigrationInterface {
  name = 'GuardrailChanges1764800000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE FUNCTION tell_gateways_of_table() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('gateway_changes', TG_TABLE_NAME || ':');
        RETURN NULL;
      END $$`);
    for (const table of TABLES) {
      await db.query(`
        CREATE TRIGGER ${table}_tell_truncate AFTER TRUNCATE ON ${table}
          FOR EACH STATEMENT EXECUTE FUNCTION tell_gateways_of_table()`);
    }
  }

  async down(db: QueryRunner): Promise<void> {
    for (const table of TABLES) await db.query(`DROP TRIGGER ${table}_tell_truncate ON ${table}`);
    await db.query('DROP FUNCTION tell_gateways_of_table');
  }
}
