import { randomUUID } from 'node:crypto';
import { DEFAULT_MCP_POLICY } from '../../src/connections/registry/fields/mcp-policy';
import { migrate } from '../../src/platform/database/schema/migrate';
import { McpPolicy1766410000000 } from '../../src/platform/database/migrations/1766410000000-mcp-policy';
import { type TestDatabase, freshDatabase } from '../support/database';
import { undoDownTo } from '../support/undo-migrations';

describe('the migration to policies of MCP connections', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await freshDatabase();
    await undoDownTo(database, McpPolicy1766410000000);
    for (const [name, type, subtype] of [
      ['server', 'application', 'mcpproxy'],
      ['orders', 'database', 'postgres'],
    ])
      await database.query(
        `INSERT INTO connections (id, org_id, name, type, subtype, description, secret, secret_names, connection_tags,
           attributes, access_groups, access_mode_connect, access_mode_exec, access_mode_runbooks, access_schema,
           resource_name, recording, record_results, version)
         SELECT $1, id, $2, $3, $4, '', '\\x00', '{}', '{}', '{}', '{}', 'enabled', 'enabled', 'enabled', 'enabled', '',
           'on', false, 1 FROM organizations`,
        [randomUUID(), name, type, subtype],
      );
    await migrate(database.url);
  });

  afterAll(() => database.drop());

  // promises: TOOL-1
  it('gives those that exist the default, and others none', async () => {
    const rows = await database.query('SELECT name, mcp_policy, catalog FROM connections ORDER BY name');
    expect(rows).toEqual([
      { name: 'orders', mcp_policy: null, catalog: null },
      { name: 'server', mcp_policy: DEFAULT_MCP_POLICY, catalog: null },
    ]);
  });
});
