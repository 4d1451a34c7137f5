import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Changes that pages of the portal asked for, so that none is made twice. They go with the sign-in, which lasts a day at most. */
export class PortalRequests1766995000000 implements MigrationInterface {
  name = 'PortalRequests1766995000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE portal_sessions ADD CONSTRAINT portal_sessions_org_id_unique UNIQUE (org_id, id);
      CREATE TABLE portal_requests (
        org_id uuid NOT NULL,
        session_id uuid NOT NULL,
        id uuid NOT NULL,
        CONSTRAINT portal_requests_pk PRIMARY KEY (session_id, id),
        CONSTRAINT portal_requests_session_fk FOREIGN KEY (org_id, session_id) REFERENCES portal_sessions (org_id, id)
          ON DELETE CASCADE
      );
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE portal_requests;
      ALTER TABLE portal_sessions DROP CONSTRAINT portal_sessions_org_id_unique;
    `);
  }
}
