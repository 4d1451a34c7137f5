import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Changes that pages of the portal asked for, so that none is made twice. They go with the sign-in, which lasts a day at most. */
export class PortalRequests1766995000000 implements MigrationInterface {
  name = 'PortalRequests1766995000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE portal_requests (
        session_id uuid NOT NULL,
        id uuid NOT NULL,
        CONSTRAINT portal_requests_pk PRIMARY KEY (session_id, id),
        CONSTRAINT portal_requests_session_fk FOREIGN KEY (session_id) REFERENCES portal_sessions (id) ON DELETE CASCADE
      );
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE portal_requests');
  }
}
