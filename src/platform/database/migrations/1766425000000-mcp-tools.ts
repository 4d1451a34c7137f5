import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which tools the servers of MCP connections offered, and which of them were accepted. */
export class McpTools1766425000000 implements MigrationInterface {
  name = 'McpTools1766425000000';

  async up(db: QueryRunner): Promise<void> {
    // Text, not jsonb: jsonb cannot hold NUL, and the fingerprint is that of exactly this text.
    await db.query(`
      CREATE TABLE mcp_tools (
        id                   uuid        NOT NULL DEFAULT gen_random_uuid(),
        org_id               uuid        NOT NULL,
        connection_id        uuid        NOT NULL,
        name                 text        NOT NULL,
        listed               text        NOT NULL,
        fingerprint          text        NOT NULL,
        accepted             text,
        accepted_fingerprint text,
        accepted_at          timestamptz,
        accepted_by          text,
        told_fingerprint     text,
        first_listed_at      timestamptz NOT NULL DEFAULT now(),
        changed_at           timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT mcp_tools_pk PRIMARY KEY (id),
        CONSTRAINT mcp_tools_name_unique UNIQUE (org_id, connection_id, name),
        CONSTRAINT mcp_tools_connection_fk FOREIGN KEY (org_id, connection_id)
          REFERENCES connections (org_id, id) ON DELETE CASCADE,
        CONSTRAINT mcp_tools_accepted_check CHECK (
          (accepted IS NULL) = (accepted_fingerprint IS NULL) AND (accepted IS NULL) = (accepted_at IS NULL)
          AND (accepted IS NOT NULL OR accepted_by IS NULL))
      );
      CREATE TRIGGER mcp_tools_tell AFTER INSERT OR UPDATE OR DELETE ON mcp_tools
        FOR EACH ROW EXECUTE FUNCTION tell_gateways('connection_id');
      CREATE TRIGGER mcp_tools_tell_truncate AFTER TRUNCATE ON mcp_tools
        FOR EACH STATEMENT EXECUTE FUNCTION tell_gateways_of_table();
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE mcp_tools');
  }
}
