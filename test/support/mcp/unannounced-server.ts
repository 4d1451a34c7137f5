import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';

/**
 * The stream on which a server sends a notification during a tool call: `answer` is the stream of the call's
 * answer, `shared` is the stream that belongs to no request.
 */
export type Place = 'answer' | 'shared';

export interface UnannouncedServer {
  readonly url: string;
  /** Sends a notification to all clients, outside of any tool call. */
  tell(method: string, params?: Record<string, unknown>): Promise<void>;
  close(): Promise<void>;
}

/**
 * A legacy server with the official SDK 1. Like servers with the Python SDK, it declares only the capability
 * `tools`, but sends other notifications anyway. Its tool `tell` sends a notification; the arguments are
 * `method`, `params` and `place`.
 */
export async function startUnannouncedServer(): Promise<UnannouncedServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const http = createServer((request, response) => {
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (id !== undefined && known === undefined) return void response.writeHead(404).end();
    void (known === undefined ? begun(sessions) : Promise.resolve(known)).then((transport) =>
      transport.handleRequest(request, response),
    );
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    tell: async (method, params = {}) => {
      for (const transport of sessions.values()) await transport.send({ jsonrpc: '2.0', method, params });
    },
    close: async () => {
      for (const transport of sessions.values()) await transport.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

async function begun(
  sessions: Map<string, StreamableHTTPServerTransport>,
): Promise<StreamableHTTPServerTransport> {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (session) => void sessions.set(session, transport),
    onsessionclosed: (session) => void sessions.delete(session),
  });
  const server = new Server({ name: 'unannounced', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [{ name: 'tell', inputSchema: { type: 'object' as const } }],
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { arguments: args = {} } }, extra) => {
    const {
      method,
      params = {},
      place,
    } = args as {
      method: string;
      params?: object;
      place: Place;
    };
    const message = { jsonrpc: '2.0' as const, method, params: { ...params } };
    // Sends through the transport, because the SDK's server refuses notifications that it did not declare.
    await transport.send(message, place === 'answer' ? relatedTo(extra.requestId) : {});
    return { content: [{ type: 'text', text: 'told' }] };
  });
  await server.connect(transport);
  return transport;
}

const relatedTo = (relatedRequestId: RequestId): { relatedRequestId: RequestId } => ({ relatedRequestId });
