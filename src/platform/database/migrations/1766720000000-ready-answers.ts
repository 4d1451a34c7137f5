import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables whose rows were not told of yet, with the column that names a row. */
const UNTOLD = { attributes: 'name', groups: 'name' };
const EMPTIED = [
  'attributes',
  'groups',
  'access_request_rules',
  'api_keys',
  'organizations',
  'user_groups',
  'users',
];

/**
 * Gateways keep answers about configuration for as long as no change is told: of each of these tables, every change has to be told, also that it was
 * emptied by TRUNCATE, as when a backup is read back.
 */
export class ReadyAnswers1766720000000 implements MigrationInterface {
  name = 'ReadyAnswers1766720000000';

  async up(db: QueryRunner): Promise<void> {
    for (const [table, key] of Object.entries(UNTOLD)) {
      await db.query(`
        CREATE TRIGGER ${table}_tell AFTER INSERT OR UPDATE OR DELETE ON ${table}
          FOR EACH ROW EXECUTE FUNCTION tell_gateways('${key}')`);
    }
    await db.query(`
      CREATE TRIGGER users_tell_insert AFTER INSERT ON users
        FOR EACH ROW EXECUTE FUNCTION tell_gateways('id');
      CREATE TRIGGER organizations_tell_others AFTER INSERT OR DELETE ON organizations
        FOR EACH ROW EXECUTE FUNCTION tell_gateways('id')`);
    for (const table of EMPTIED) {
      await db.query(`
        CREATE TRIGGER ${table}_tell_truncate AFTER TRUNCATE ON ${table}
          FOR EACH STATEMENT EXECUTE FUNCTION tell_gateways_of_table()`);
    }
  }

  async down(db: QueryRunner): Promise<void> {
    for (const table of EMPTIED) await db.query(`DROP TRIGGER ${table}_tell_truncate ON ${table}`);
    await db.query(`
      DROP TRIGGER users_tell_insert ON users;
      DROP TRIGGER organizations_tell_others ON organizations`);
    for (const table of Object.keys(UNTOLD)) await db.query(`DROP TRIGGER ${table}_tell ON ${table}`);
  }
}
