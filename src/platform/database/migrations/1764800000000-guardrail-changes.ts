import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['guardrail_rules', 'guardrail_connections', 'connections'];

/**
 * Gateways cache the guard rails of a connection until they are notified of a change. Row triggers notify them
 * of changed rows. TRUNCATE fires no row triggers, and is used when a backup is restored, so it gets a trigger
 * of its own.
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
