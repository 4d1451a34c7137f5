import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `connections.status` said `online` of every connection, and nobody had measured it. */
export class ConnectionReachability1766300000000 implements MigrationInterface {
  name = 'ConnectionReachability1766300000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE connection_reachability (
        org_id        uuid        NOT NULL,
        connection_id uuid        NOT NULL,
        status        text        NOT NULL,
        status_at     timestamptz NOT NULL,
        CONSTRAINT connection_reachability_pk PRIMARY KEY (org_id, connection_id),
        CONSTRAINT connection_reachability_connection_fk FOREIGN KEY (org_id, connection_id)
          REFERENCES connections (org_id, id) ON DELETE CASCADE,
        CONSTRAINT connection_reachability_status_check CHECK (status IN ('online', 'offline'))
      );
      ALTER TABLE connections DROP COLUMN status;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE connections ADD COLUMN status text NOT NULL DEFAULT 'online',
        ADD CONSTRAINT connections_status_check CHECK (status IN ('online', 'offline'));
      DROP TABLE connection_reachability;
    `);
  }
}
