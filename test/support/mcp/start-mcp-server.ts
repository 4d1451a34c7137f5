import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  createServer,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../free-port';
import { ROOT } from '../root';
import { legacyHandling, sseHandling } from './legacy-server';
import { type McpHandling, modernHandling } from './modern-server';
import { type Offer, testOffer } from './offer';
import { type Change, type ToolCounts, noCounts } from './tools';

/**
 * Kinds of test servers. `modern`, `modern-sse` (always answers with a stream): only revision 2026-07-28.
 * `legacy`, `legacy-json` (answers without streams), `legacy-shared` (sends its own requests to clients on
 * the GET stream): revisions 2025-03-26 to 2025-11-25. `dual`: `modern` and `legacy` together. `sse`:
 * HTTP+SSE of 2024-11-05. `everything`, `everything-sse`: the official
 * @modelcontextprotocol/server-everything in a separate process; requests to it are not recorded.
 */
export type McpServerKind =
  | 'modern'
  | 'modern-sse'
  | 'legacy'
  | 'legacy-json'
  | 'legacy-shared'
  | 'dual'
  | 'sse'
  | 'everything'
  | 'everything-sse';

export type OwnServerKind = Exclude<McpServerKind, `everything${string}`>;

/** A request as the server received it. */
export interface HeardRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The client's port of the connection; undefined for servers that do not note it. */
  readonly port?: number | undefined;
  readonly text: string;
  // `any`, because tests read messages of every type.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

export interface McpTestServer {
  readonly url: string;
  /** All requests since the start, in order. */
  readonly heard: HeardRequest[];
  readonly counts: ToolCounts;
  /** Returns the JSON-RPC methods of the received POST requests, in order. */
  methods(): string[];
  /** Notifies subscribers of a change. */
  changed(what: Change): void;
  /**
   * Replaces the server by one of another kind, with the same address and tools. All MCP sessions are lost.
   * Rejects for `everything`.
   */
  become(kind: OwnServerKind): Promise<void>;
  /** Lets all running calls of the tool `wait` return. */
  finishWaits(): void;
  /** Breaks all connections. */
  disconnect(): void;
  close(): Promise<void>;
}

/** Decides which requests a test server answers. */
export interface Guard {
  /** True if a browser was tricked into sending the request; the request then gets 403. */
  readonly isMisled?: (headers: IncomingHttpHeaders) => boolean;
  /** True when a request with this `Authorization` is answered; others get 401. */
  accepts(authorization: string | undefined): boolean | Promise<boolean>;
  /** Metadata of the protected resource (RFC 9728), by path. */
  readonly metadata?: ReadonlyMap<string, () => object>;
  /** The scope that the token lacks (RFC 6750, `insufficient_scope`); undefined: none. */
  readonly lacking?: () => string | undefined;
  /** Replaces the `WWW-Authenticate` header of a 401. */
  readonly challenge?: () => string;
}

const OPEN: Guard = { accepts: () => true };

/** Rejects requests with other host names than those of this machine (protection from DNS rebinding). */
export const LOOPBACK_HOSTS: Guard = {
  ...OPEN,
  isMisled: ({ host = '', origin }) =>
    ![`http://${host}`, origin ?? 'http://localhost'].every((url) =>
      ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname),
    ),
};

/** @param guard ignored for `everything` and `everything-sse` */
export async function startMcpServer(
  kind: McpServerKind,
  guard: Guard = OPEN,
  offers: (counts: ToolCounts) => Offer = testOffer,
): Promise<McpTestServer> {
  if (kind === 'everything') return startEverything('streamableHttp', '/mcp');
  if (kind === 'everything-sse') return startEverything('sse', '/sse');
  const counts = noCounts();
  let handling = handlingOf(kind, offers(counts));
  const heard: HeardRequest[] = [];
  const server = createServer((request, response) => void take(handling, heard, guard, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    heard,
    counts,
    methods: () =>
      heard.flatMap(({ body }) => (typeof body?.method === 'string' ? [body.method as string] : [])),
    changed: (what) => handling.changed(what),
    become: async (other) => {
      const before = handling;
      handling = handlingOf(other, offers(counts));
      await before.close();
      server.closeAllConnections();
    },
    finishWaits: () => {
      for (const finish of counts.finishWaits) finish();
    },
    disconnect: () => server.closeAllConnections(),
    close: async () => {
      await handling.close();
      await closed(server);
    },
  };
}

function handlingOf(kind: OwnServerKind, offer: Offer): McpHandling {
  switch (kind) {
    case 'modern':
      return modernHandling(offer);
    case 'modern-sse':
      return modernHandling(offer, { responseMode: 'sse' });
    case 'legacy-json':
      return legacyHandling(offer, { json: true });
    case 'legacy-shared':
      return legacyHandling(offer, { asksOnShared: true });
    case 'sse':
      return sseHandling(offer);
    case 'dual':
      return dualHandling(modernHandling(offer), legacyHandling(offer));
    case 'legacy':
      return legacyHandling(offer);
  }
}

/**
 * A request is legacy when neither its body nor the header names the modern protocol (2026-07-28, "Backward
 * Compatibility").
 */
function dualHandling(modern: McpHandling, legacy: McpHandling): McpHandling {
  return {
    handle: (request, response, body) => {
      const meta = (body as { params?: { _meta?: Record<string, unknown> } } | undefined)?.params?._meta;
      const isModern =
        meta?.['io.modelcontextprotocol/protocolVersion'] !== undefined ||
        request.headers['mcp-protocol-version'] === '2026-07-28';
      return (isModern ? modern : legacy).handle(request, response, body);
    },
    changed: (what) => {
      modern.changed(what);
      legacy.changed(what);
    },
    close: async () => {
      await modern.close();
      await legacy.close();
    },
  };
}

async function take(
  handling: McpHandling,
  heard: HeardRequest[],
  guard: Guard,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  const { method = '', url: path = '', headers } = request;
  heard.push({ method, path, headers, port: request.socket.remotePort, text, body });
  if (guard.isMisled?.(headers) === true) return void response.writeHead(403).end();
  const metadata = guard.metadata?.get(path);
  if (metadata !== undefined) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata()));
    return;
  }
  if (!(await guard.accepts(headers.authorization))) {
    response
      .writeHead(401, { 'www-authenticate': guard.challenge?.() ?? 'Bearer error="invalid_token"' })
      .end();
    return;
  }
  const scope = guard.lacking?.();
  if (scope !== undefined) {
    const challenge = `Bearer error="insufficient_scope", scope="${scope}"`;
    response.writeHead(403, { 'www-authenticate': challenge }).end();
    return;
  }
  try {
    await handling.handle(request, response, body);
  } catch (error) {
    if (!response.headersSent) response.writeHead(500);
    response.end(String(error));
  }
}

async function startEverything(transport: 'streamableHttp' | 'sse', path: string): Promise<McpTestServer> {
  const port = await freePort();
  const script = join(ROOT, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
  const child = spawn(process.execPath, [script, transport], {
    env: { PATH: process.env['PATH'], PORT: String(port) },
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}${path}`;
  await answering(url, child);
  return {
    url,
    heard: [],
    counts: noCounts(),
    methods: () => [],
    changed: () => undefined,
    become: () => Promise.reject(new Error('it stays what it is')),
    finishWaits: () => undefined,
    disconnect: () => undefined,
    close: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** Resolves when the server sends any answer. */
async function answering(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    const response = await fetch(url, { method: 'OPTIONS' }).catch(() => undefined);
    await response?.body?.cancel();
    if (response !== undefined) return;
    await pause(100);
  }
  throw new Error('the server did not start');
}

async function closed(server: Server): Promise<void> {
  const isClosed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await isClosed;
}
