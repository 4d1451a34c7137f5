import type { Server } from 'node:http';
import type { Begin } from '../scoped';
import { type Person, type TestGateway, startGateway } from '../gateway';
import { type ClientKind, type ClientOptions, type McpClient, connectClient } from './clients';

/** A gateway, and helpers to reach MCP servers through it. */
export interface McpPath {
  readonly gateway: TestGateway;
  /** Creates a connection to the server and returns its name. */
  connection(url: string, more?: Record<string, unknown>): Promise<string>;
  /** URL of the MCP endpoint of a connection. */
  endpoint(connection: string): string;
  /** Connects a client of this kind, signed in as the person. `close` of the path closes the client. */
  client(kind: ClientKind, connection: string, options?: ClientOptions & { as?: Person }): Promise<McpClient>;
  /** Returns the events of the newest session at the connection: type and text of each. */
  recorded(connection: string): Promise<[string, string][]>;
  close(): Promise<void>;
}

/** @param environment the variables, or a function that returns them once earlier `begin` calls are done */
export function beginMcpPath(
  begin: Begin,
  environment: Record<string, string> | (() => Record<string, string>) = {},
): McpPath {
  return begin(() => startMcpPath(typeof environment === 'function' ? environment() : environment));
}

export async function startMcpPath(
  environment: Record<string, string> = {},
  beside?: TestGateway,
): Promise<McpPath> {
  const gateway = await startGateway({
    environment: { MCP_ALLOWED_HOSTS: '127.0.0.1', MCP_HOLD_SECONDS: '0', ...environment },
    ...(beside === undefined ? {} : { beside }),
  });
  const clients: McpClient[] = [];
  let connections = 0;
  const endpoint = (connection: string): string => `${gateway.api}/mcp/${encodeURIComponent(connection)}`;
  return {
    gateway,
    endpoint,
    connection: async (url, more = {}) => {
      const name = `mcp-${++connections}-${process.pid}`;
      const answer = await gateway.call('admin', 'POST', '/connections', {
        name,
        type: 'application',
        subtype: 'mcpproxy',
        access_groups: ['*'],
        ...more,
        secret: { REMOTE_URL: url, ...(more['secret'] as object | undefined) },
      });
      if (answer.status !== 201) throw new Error(answer.text);
      return name;
    },
    client: async (kind, connection, { as = 'alice', ...options } = {}) => {
      const token = options.token ?? (await gateway.token(as));
      const client = await connectClient(kind, endpoint(connection), { ...options, token });
      clients.push(client);
      return client;
    },
    recorded: async (connection) => {
      const list = await gateway.call('admin', 'GET', `/sessions?connection=${connection}`);
      const session = await gateway.call(
        'admin',
        'GET',
        `/sessions/${list.body.data[0].id}?expand=event_stream`,
      );
      return (session.body.event_stream as [number, string, string][]).map(([, type, content]) => [
        type,
        Buffer.from(content, 'base64').toString(),
      ]);
    },
    close: async () => {
      for (const client of clients) await client.close().catch(() => undefined);
      // A closed SDK client may keep a connection open, or open a new one. A gateway process closes these
      // connections itself (src/process/shutdown.ts). Here, in the test process, a timer closes them.
      const server: Server = gateway.app.getHttpServer();
      const disconnecting = setInterval(() => server.closeAllConnections(), 50);
      await gateway.close().finally(() => clearInterval(disconnecting));
    },
  };
}
