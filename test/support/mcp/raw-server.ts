import { once } from 'node:events';
import { type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HeardRequest } from './start-mcp-server';

/** Handles one request to the server. It may send any answer, or none. */
export type RawAnswering = (request: HeardRequest, response: ServerResponse) => void;

export interface RawServer {
  readonly url: string;
  readonly heard: HeardRequest[];
  close(): Promise<void>;
}

/** Starts an HTTP server whose answers the test defines, so that it can behave as no MCP server should. */
export async function startRawServer(answering: RawAnswering): Promise<RawServer> {
  const heard: HeardRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const { method = '', url: path = '', headers } = request;
      const one = { method, path, headers, text, body: text === '' ? undefined : JSON.parse(text) };
      heard.push(one);
      answering(one, response);
    });
    response.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    heard,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

export function json(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
}

export function stream(response: ServerResponse, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
}

/** Encodes a message as one server-sent event. */
export function event(message: unknown, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(message)}\n\n`;
}

/**
 * A modern server. It answers `server/discover` itself, and `initialize` with an error. The test defines all
 * other answers.
 */
export function rawModern(answering: RawAnswering): Promise<RawServer> {
  return startRawServer((request, response) => {
    const { id, method } = request.body ?? {};
    if (method === 'initialize')
      return json(
        response,
        { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } },
        404,
      );
    if (method !== 'server/discover') return answering(request, response);
    const result = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} } };
    json(response, { jsonrpc: '2.0', id, result });
  });
}

/** A legacy server with one session. The test defines its answers within the session. */
export function rawLegacy(answering: RawAnswering, revision = '2025-11-25'): Promise<RawServer> {
  return startRawServer((request, response) => {
    const { method, id } = request.body ?? {};
    if (method === 'server/discover') response.writeHead(400).end();
    else if (method === 'notifications/initialized') response.writeHead(202).end();
    else if (request.method === 'DELETE') response.writeHead(200).end();
    else if (method === 'initialize')
      json(
        response,
        {
          jsonrpc: '2.0',
          id,
          result: {
            protocolVersion: revision,
            capabilities: { tools: {} },
            serverInfo: { name: 'raw', version: '1' },
          },
        },
        200,
        { 'mcp-session-id': 'session-1' },
      );
    else answering(request, response);
  });
}
