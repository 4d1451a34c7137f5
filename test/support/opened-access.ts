import { eventually } from './eventually';
import type { TestGateway } from './gateway';
import { listen } from './live';
import type { startMcpPath } from './mcp/mcp-path';
import { RawClient } from './mcp/raw-client';
import { WireClient } from './wire-client';

export const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

interface Opening {
  readonly gateway: TestGateway;
  readonly endpoints: Awaited<ReturnType<typeof startMcpPath>>;
  /** Name of a connection to a database. */
  readonly database: string;
  /** Name of a connection to an MCP server. */
  readonly tools: string;
}

let count = 0;

/**
 * Opens every kind of access for alice at a gateway: a running script, the stream of its output, a PostgreSQL
 * client, and a session of an MCP client.
 */
export async function openEverything({ gateway, endpoints, database, tools }: Opening) {
  const mark = `mark_${++count}_end`;
  const script = gateway.call('alice', 'POST', '/sessions', {
    connection: database,
    script: `SELECT pg_sleep(100) AS ${mark}`,
  });
  const idOf = async (): Promise<string> => {
    const rows = await gateway.database.query<{ id: string }>(
      'SELECT id FROM sessions WHERE script LIKE $1',
      [`%${mark}%`],
    );
    return rows[0]?.id ?? '';
  };
  await eventually('the script runs', async () => (await idOf()) !== '');
  const stream = await listen(gateway, 'alice', await idOf());
  const client = await WireClient.through(gateway, database, 'alice');
  const visit = new RawClient(endpoints, tools);
  const session = await visit.begin();
  expect((await visit.send(PING, session)).status).toBe(200);
  return { script, stream, client, visit, session };
}
