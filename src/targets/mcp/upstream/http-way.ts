import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type Readable, pipeline } from 'node:stream';
import { urlToHttpOptions } from 'node:url';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { type MaybePromise, thenMaybe } from '../../../kernel/async/maybe-promise';
import { CheckedConnections } from '../../../platform/outbound/checked-connections';
import { UpstreamFault, type UpstreamOptions } from './contract';
import { malformedFault, statusFault, wayFault } from './faults';
import { redirectPlace } from './redirect-place';
import { failOnUpgrade } from '../../../platform/outbound/refused-upgrades';

const HEADER_BYTES = 32 * 1024;
/** Maximum bytes to read and discard from the rest of an answer, so that the connection can be reused. */
const REST_BYTES = 64 * 1024;
const REST_MS = 1_000;
/** Headers that control HTTP or MCP. The secret of a connection cannot set them. */
const NOT_FROM_SECRET =
  /^(host|connection|content-length|content-type|transfer-encoding|upgrade|te|trailer|expect|accept|accept-encoding|mcp-.*|last-event-id)$/;

const DECODERS: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

export interface HttpMessage {
  readonly method: 'POST' | 'GET' | 'DELETE';
  /** URL of the request, with the origin of the server. Default: the URL of the server. */
  readonly url?: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /**
   * Whether to send the request again if a reused connection turns out to be closed. The server may have
   * received the first request.
   */
  readonly isRepeatable?: boolean;
}

/** Answer of a server. The body is decompressed while it is read. */
export class HttpReply {
  readonly status: number;
  readonly body: Readable;
  private isHandedOver = false;

  /** @throws UpstreamFault for a content encoding that the gateway did not request */
  constructor(
    private readonly response: IncomingMessage,
    private readonly url: URL,
  ) {
    this.status = response.statusCode ?? 0;
    this.body = decoded(response);
  }

  get isSuccess(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  /** Media type in lower case, without parameters. */
  get mediaType(): string {
    return (this.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  }

  /** Returns the value of a header. Values of a repeated header are joined with commas. */
  header(name: string): string | undefined {
    const value = this.response.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  statusFault(): UpstreamFault {
    const place = redirectPlace(this.header('location'), this.url);
    return statusFault(this.status, { challenge: this.header('www-authenticate'), place });
  }

  /**
   * Ends reading. If little of the body remains, reads and discards it, so that the connection can be reused.
   * Idempotent.
   */
  release(): void {
    // Does not check `complete`, which is true once the message was parsed. Only a body that was read to its
    // end releases the connection.
    if (this.isHandedOver || this.response.readableEnded || this.response.destroyed) return;
    this.isHandedOver = true;
    let bytes = 0;
    const stop = (): void => void this.response.destroy();
    const timer = setTimeout(stop, REST_MS);
    timer.unref();
    this.response.on('close', () => clearTimeout(timer));
    this.body.on('error', stop).on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > REST_BYTES) stop();
    });
    this.body.resume();
  }
}

/**
 * Sends HTTP requests to one server. Connects only to checked addresses and follows no redirect (contract,
 * CONNECTION-14), so that a connection's credentials reach only the origin that its secret names.
 */
export class HttpWay {
  private readonly connections: CheckedConnections;
  /** Request options from the server's URL, parsed once for all requests. */
  private readonly place: RequestOptions;

  constructor(
    private readonly options: Pick<UpstreamOptions, 'url' | 'headers' | 'refused' | 'allowedHosts'>,
  ) {
    this.connections = new CheckedConnections(options.allowedHosts);
    this.place = placeOf(options.url);
  }

  get url(): URL {
    return this.options.url;
  }

  /**
   * Resolves with the answer of any status when its headers have arrived. After a 401, sends the request once
   * more if the credential could be renewed, because the server did not handle it.
   * @throws UpstreamFault `unreachable` if no connection was made, `lost` if the connection broke or `signal`
   * aborted; and the errors of `headers` and `refused`
   */
  async send(message: HttpMessage, signal: AbortSignal): Promise<HttpReply> {
    const asked = this.ownHeaders(signal);
    const own = asked instanceof Promise ? await asked : asked;
    const reply = await this.sendWith(own, message, signal);
    if (reply.status !== 401 || this.options.refused === undefined) return reply;
    try {
      if (!(await unlessAborted(() => this.options.refused?.(own), signal))) return reply;
    } catch (error) {
      reply.release();
      throw error;
    }
    reply.release();
    return this.sendWith(await this.ownHeaders(signal), message, signal);
  }

  close(): void {
    this.connections.close();
  }

  private async sendWith(
    own: Readonly<Record<string, string>>,
    message: HttpMessage,
    signal: AbortSignal,
  ): Promise<HttpReply> {
    const headers = {
      // Some gateways in front of servers refuse requests without this header.
      'user-agent': 'access-gateway',
      'accept-encoding': 'gzip, deflate, br',
      ...own,
      ...message.headers,
    };
    const response = await this.open(message, headers, signal, message.isRepeatable === true);
    return new HttpReply(response, message.url ?? this.options.url);
  }

  private ownHeaders(signal: AbortSignal): MaybePromise<Record<string, string>> {
    return thenMaybe(
      unlessAborted(() => this.options.headers(), signal),
      ownOf,
    );
  }

  private open(
    message: HttpMessage,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
    mayRepeat: boolean,
  ): Promise<IncomingMessage> {
    const url = message.url ?? this.options.url;
    const isTls = url.protocol === 'https:';
    return new Promise((resolve, reject) => {
      let isSent = false;
      try {
        const agent = this.connections.agentFor(url);
        const place = message.url === undefined ? this.place : placeOf(message.url);
        const call = (isTls ? requestHttps : requestHttp)(
          { ...place, method: message.method, agent, headers, maxHeaderSize: HEADER_BYTES },
          resolve,
        );
        // Used instead of the option `signal`, which adds several listeners for each request.
        const abort = (): void => void call.destroy(new Error('the request was aborted'));
        signal.addEventListener('abort', abort);
        call.once('close', () => signal.removeEventListener('abort', abort));
        if (signal.aborted) abort();
        call.on('socket', (socket) => {
          if (call.reusedSocket) isSent = true;
          else {
            socket.once(isTls ? 'secureConnect' : 'connect', () => (isSent = true));
            // Node.js removes its error listener from an idle connection, and adds the next one later.
            // Without this listener, an abort in between would end the process.
            socket.on('error', () => undefined);
          }
        });
        call.on('error', (error) => {
          if (mayRepeat && call.reusedSocket && !signal.aborted)
            // Other reused connections may be closed too, so the request is repeated until one is new.
            resolve(this.open(message, headers, signal, mayRepeat));
          else reject(wayFault(error, isSent));
        });
        failOnUpgrade(call, (error) => reject(wayFault(error, true)));
        call.end(message.body);
      } catch (error) {
        // The secret has a header that HTTP does not allow, or the address is forbidden.
        reject(wayFault(error, false));
      }
    });
  }
}

function ownOf(given: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(given).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(entries.filter(([name]) => !NOT_FROM_SECRET.test(name)));
}

/** Stops waiting when `signal` aborts. The work continues, because other requests may need the credential. */
function unlessAborted<T>(begin: () => MaybePromise<T>, signal: AbortSignal): MaybePromise<T> {
  const left = (): UpstreamFault =>
    new UpstreamFault('refused', 'The gateway has no credential for the MCP server yet.');
  if (signal.aborted) throw left();
  const work = begin();
  if (!(work instanceof Promise)) return work;
  return new Promise<T>((resolve, reject) => {
    const stop = (): void => reject(left());
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** Returns the options for a request to a URL. */
function placeOf(url: URL): RequestOptions {
  const { protocol, hostname, port, path, auth } = urlToHttpOptions(url);
  return { protocol, hostname, port, path, ...(auth === undefined ? {} : { auth }) };
}

function decoded(response: IncomingMessage): Readable {
  const encoding = (response.headers['content-encoding'] ?? '').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return response;
  const decoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding]?.() : undefined;
  if (decoder === undefined) {
    response.destroy();
    throw malformedFault('has an encoding that the gateway did not ask for');
  }
  // The callback ignores an error of either stream, because the reader of the decoder receives it.
  return pipeline(response, decoder, () => undefined);
}
