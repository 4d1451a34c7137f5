import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Organizations begin with access control on. Those that are in use keep what they have: switched on for them, nobody
 * but admins could open a connection without groups. An organization is in use as soon as anybody or anything is in it.
 */
export class AccessControlOn1766220000000 implements MigrationInterface {
  name = 'AccessControlOn1766220000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE organizations ALTER COLUMN features SET DEFAULT '{"access_control": true, "review": true}';
      UPDATE organizations AS organization SET features = features || '{"access_control": true}'
      WHERE NOT EXISTS (SELECT FROM users WHERE org_id = organization.id)
        AND NOT EXISTS (SELECT FROM api_keys WHERE org_id = organization.id)
        AND NOT EXISTS (SELECT FROM connections WHERE org_id = organization.id)
        AND NOT EXISTS (SELECT FROM sessions WHERE org_id = organization.id);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE organizations ALTER COLUMN features SET DEFAULT '{"access_control": false, "review": true}'
    `);
  }
}
