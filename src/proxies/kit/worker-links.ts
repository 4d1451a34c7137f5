import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { rmSync, rmdirSync } from 'node:fs';
import {
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
  request as httpRequest,
} from 'node:http';
import { type Server, type Socket, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import type { MaybePromise } from '../../kernel/async/maybe-promise';
import { serveOwnConnection } from '../../kernel/runtime/served-socket';
import { PassedEvents } from './passed-events';

/**
 * Directory and secret that the workers of one gateway share. Created by their primary process at each start.
 */
export interface WorkerExchange {
  /** Directory that only the user of the gateway may enter. Contains one socket for each worker. */
  readonly directory: string;
  /** 32 bytes with which the workers authenticate to each other. */
  readonly secret: Buffer;
}

interface PassedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: string | undefined;
}

const NAME_BYTES = 6;
/** Matches the name of a process and the dot after it. */
const NAMED = /^([\w-]{8})\./;

/** Length of the client's address, which follows the secret in the preamble. Padded with spaces. */
const ADDRESS_BYTES = 64;
const PREAMBLE_WITHIN_MS = 5_000;

/** Headers of a single connection (RFC 9110, section 7.6.1), and `Expect`, which Node.js has answered. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Passes HTTP requests from the worker that received them to the worker that can serve them. This is needed
 * because MCP sessions, and requests that wait for a client, live in one process. Ids given to clients
 * contain the name of that process (`named`).
 *
 * The other worker gets the request as if the client had connected to it, with the client's address and
 * credential, and makes all checks. The name in an id decides only which worker makes the checks, so a forged
 * name gives no access.
 */
@Injectable()
export class WorkerLinks implements OnModuleDestroy, OnApplicationShutdown {
  private readonly log = new Logger(WorkerLinks.name);
  /** Name of this process. No other process ever has the same name. */
  private readonly name = randomBytes(NAME_BYTES).toString('base64url');
  private exchange: WorkerExchange | undefined;
  private listener: Server | undefined;
  private readonly waiting = new Set<Socket>();
  /** Connections from other workers. Requests on these connections are not passed on again. */
  private readonly passed = new WeakSet<object>();
  private readonly taken = new Set<Socket>();
  private readonly streams = new Set<PassedEvents>();
  private isStopping = false;
  private readonly onExit = (): void => this.removeSocket();

  /** Returns the text with the name of this process before it. */
  named(text: string): string {
    return `${this.name}.${text}`;
  }

  /** Returns the text without the process name that `named` added; undefined when it has none. */
  static unnamed(text: string): string | undefined {
    return NAMED.test(text) ? text.slice(text.indexOf('.') + 1) : undefined;
  }

  /** Accepts requests that other workers pass to this one. @param http the server that answers them */
  async open(exchange: WorkerExchange, http: HttpServer): Promise<void> {
    const path = join(exchange.directory, this.name);
    const listener = createServer((socket) => this.accept(socket, exchange.secret, http));
    // Without `exclusive`, the primary process would listen in place of this worker.
    listener.listen({ path, exclusive: true });
    await once(listener, 'listening');
    this.listener = listener;
    this.exchange = exchange;
    process.once('exit', this.onExit);
  }

  /**
   * Passes the request to the worker that `text` names, and the answer back to the client.
   * @param body of the request, if it was read already
   * @returns false if this process must answer the request: `text` names no process, this process or a
   * process that is gone, or another worker passed the request. Nothing was read or answered then.
   */
  pass(
    text: string,
    request: IncomingMessage,
    response: ServerResponse,
    body?: string,
  ): MaybePromise<boolean> {
    const { exchange } = this;
    if (exchange === undefined || this.passed.has(request.socket)) return false;
    const name = NAMED.exec(text)?.[1];
    if (name === undefined || name === this.name) return false;
    return this.passTo(name, exchange, { request, response, body });
  }

  private async passTo(
    name: string,
    exchange: WorkerExchange,
    { request, response, body }: PassedRequest,
  ): Promise<boolean> {
    const socket = await connected(join(exchange.directory, name));
    if (socket === undefined) return false;
    socket.write(preamble(exchange.secret, request.socket.remoteAddress ?? ''));
    try {
      const answer = await exchanged(socket, request, response, body);
      if (request.method === 'GET' && isEvents(answer)) await this.passStream(answer, response);
      else await pipeline(answer, response);
    } catch (error) {
      // The client sees a broken connection, as if it had been connected directly to the worker that died.
      this.log.debug({ err: error }, 'A passed request ended early');
      response.destroy();
    } finally {
      socket.destroy();
    }
    return true;
  }

  private async passStream(answer: IncomingMessage, response: ServerResponse): Promise<void> {
    const events = new PassedEvents(answer);
    this.streams.add(events);
    if (this.isStopping) events.stop();
    try {
      await pipeline(events.pieces(), response);
    } finally {
      this.streams.delete(events);
    }
  }

  /** Ends streams from other workers, because they would keep this worker running. Clients reopen them. */
  onModuleDestroy(): void {
    this.isStopping = true;
    for (const events of this.streams) events.stop();
  }

  /** Closes the listener. The HTTP server is closed by now, so it has answered all requests passed to it. */
  async onApplicationShutdown(): Promise<void> {
    const { listener } = this;
    const closed = listener && new Promise((resolve) => listener.close(resolve));
    for (const socket of this.waiting) socket.destroy();
    for (const socket of this.taken) socket.destroy();
    await closed;
    process.off('exit', this.onExit);
    this.removeSocket();
  }

  /**
   * Removes the socket. The last worker also removes the directory, in case the primary process was killed.
   */
  private removeSocket(): void {
    if (this.exchange === undefined) return;
    try {
      rmSync(join(this.exchange.directory, this.name), { force: true });
      rmdirSync(this.exchange.directory);
    } catch {
      // Ignored, because other workers still have sockets in the directory, or the directory is gone.
    }
  }

  private accept(socket: Socket, secret: Buffer, http: HttpServer): void {
    const tooLate = setTimeout(() => socket.destroy(), PREAMBLE_WITHIN_MS).unref();
    this.waiting.add(socket);
    const read = (): void => {
      const bytes = socket.read(secret.length + ADDRESS_BYTES) as Buffer | null;
      if (bytes === null) return;
      socket.off('readable', read);
      this.waiting.delete(socket);
      clearTimeout(tooLate);
      if (bytes.length !== secret.length + ADDRESS_BYTES) return void socket.destroy();
      if (!timingSafeEqual(bytes.subarray(0, secret.length), secret)) return void socket.destroy();
      const address = bytes.toString('latin1', secret.length).trimEnd();
      Object.defineProperty(socket, 'remoteAddress', { value: address });
      this.passed.add(socket);
      this.taken.add(socket);
      serveOwnConnection(http, socket);
    };
    socket.on('readable', read).on('error', () => socket.destroy());
    socket.once('close', () => {
      this.waiting.delete(socket);
      this.taken.delete(socket);
      clearTimeout(tooLate);
    });
  }
}

function preamble(secret: Buffer, address: string): Buffer {
  return Buffer.concat([
    secret,
    Buffer.from(address.padEnd(ADDRESS_BYTES).slice(0, ADDRESS_BYTES), 'latin1'),
  ]);
}

/** Connects to a worker's socket. Returns undefined when no process listens there any more. */
async function connected(path: string): Promise<Socket | undefined> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return socket;
  } catch {
    return undefined;
  }
}

function isEvents({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('text/event-stream') === true;
}

/** Resolves with the answer once its headers are passed on. @throws when either side ends earlier */
async function exchanged(
  socket: Socket,
  request: IncomingMessage,
  response: ServerResponse,
  body: string | undefined,
): Promise<IncomingMessage> {
  const passed = httpRequest({
    createConnection: () => socket,
    method: request.method ?? '',
    path: (request as { originalUrl?: string }).originalUrl ?? request.url ?? '',
    // Sends the raw headers, so that the other worker also sees and checks repeated or malformed headers.
    headers: headersFor(request, body),
  });
  response.once('close', () => passed.destroy());
  if (response.closed) passed.destroy();
  // Sends the headers at once, because the other worker may answer before it has the body.
  passed.flushHeaders();
  const answering = once(passed, 'response') as Promise<[IncomingMessage]>;
  // The answer may come before the whole request was read. The rest of the request is then not needed.
  // `pipeline` is not used, because it would end the client's connection, and the answer with it.
  passed.on('error', () => undefined);
  if (body === undefined) request.pipe(passed);
  else passed.end(body);
  const [answer] = await answering;
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  response.sendDate = false;
  for (const [name, values] of Object.entries(answer.headersDistinct))
    if (values !== undefined && !OF_CONNECTION.has(name)) response.setHeader(name, values);
  // The client needs a new connection for its next request, because this one still has unread body bytes.
  if (!request.readableEnded) response.setHeader('Connection', 'close');
  response.writeHead(answer.statusCode ?? 502);
  response.flushHeaders();
  return answer;
}

function headersFor({ rawHeaders }: IncomingMessage, body: string | undefined): string[] {
  // With `Connection: close`, a worker that answers before it has read the body would close its side. Sending
  // the rest of the body would then fail, and the answer would be lost. So this side ends the connection.
  const headers = ['Connection', 'keep-alive'];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    const lower = name.toLowerCase();
    const isOfBody = lower === 'content-length' || lower === 'transfer-encoding';
    if (body === undefined ? OF_CONNECTION.has(lower) && !isOfBody : OF_CONNECTION.has(lower) || isOfBody)
      continue;
    headers.push(name, rawHeaders[index + 1] ?? '');
  }
  if (body !== undefined) headers.push('Content-Length', String(Buffer.byteLength(body)));
  return headers;
}
