import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What clients of an MCP server may use, and the catalog entry that a connection was made from. */
export class McpPolicy1766410000000 implements MigrationInterface {
  name = 'McpPolicy1766410000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE connections
        ADD COLUMN mcp_policy jsonb,
        ADD COLUMN catalog text,
        ADD CONSTRAINT connections_mcp_policy_check CHECK (jsonb_typeof(mcp_policy) = 'object');
      UPDATE connections SET mcp_policy = '{
        "tools": {"allowed": [], "denied": [], "approval": []},
        "resources": {"allowed": [], "denied": []},
        "prompts": {"allowed": [], "denied": []},
        "newTools": "allow", "serverRequests": [], "callsPerMinute": null, "resultBytes": null, "streams": null}'
      WHERE subtype = 'mcpproxy';
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE connections DROP COLUMN mcp_policy, DROP COLUMN catalog');
  }
}
