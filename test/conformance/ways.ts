import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { McpPath } from '../support/mcp/mcp-path';
import { type GatewayWay, type WayWanted, issuerOf } from './scenario-client';

/** Makes a connection of the gateway for each client that a scenario starts. */
export interface Ways {
  readonly url: string;
  close(): Promise<void>;
}

export async function startWays(path: McpPath): Promise<Ways> {
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      return made(path, JSON.parse(Buffer.concat(chunks).toString()) as WayWanted);
    })().then(
      (way) => response.end(JSON.stringify(way)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function made(path: McpPath, { url, context }: WayWanted): Promise<GatewayWay> {
  const { client_id: id, client_secret: secret } = context;
  const credentials =
    id === undefined || secret === undefined
      ? {}
      : {
          MCP_AUTH: 'oauth',
          MCP_OAUTH_SUBJECT: 'shared',
          MCP_ISSUER: await issuerOf(url),
          MCP_CLIENT_ID: id,
          MCP_CLIENT_SECRET: secret,
        };
  const policy = { server_requests: ['sampling', 'elicitation', 'roots'] };
  const name = await path.connection(url, { mcp_policy: policy, secret: credentials });
  return { endpoint: path.endpoint(name), token: await path.gateway.token('alice') };
}
