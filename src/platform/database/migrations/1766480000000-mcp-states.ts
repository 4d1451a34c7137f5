import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Request states of MCP clients that were used: each is good for one continuation, at whichever gateway. */
export class McpStates1766480000000 implements MigrationInterface {
  name = 'McpStates1766480000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE mcp_used_states (
        id uuid CONSTRAINT mcp_used_states_pk PRIMARY KEY,
        org_id uuid NOT NULL CONSTRAINT mcp_used_states_org_fk REFERENCES organizations,
        used_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX mcp_used_states_used_at_index ON mcp_used_states (used_at)`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE mcp_used_states');
  }
}
