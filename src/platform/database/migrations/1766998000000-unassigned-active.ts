import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A provider may remove `active` of a SCIM user, who keeps the access that they had: `active` goes on to say which. */
export class UnassignedActive1766998000000 implements MigrationInterface {
  name = 'UnassignedActive1766998000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE scim_users ADD COLUMN active_assigned boolean NOT NULL DEFAULT true');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE scim_users DROP COLUMN active_assigned');
  }
}
