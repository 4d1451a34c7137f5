import { type IncomingMessage, type Server, request as httpRequest } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import { serveOwnConnection } from '../../kernel/runtime/served-socket';

/** The principal that calls, and its token. */
export interface OwnCaller {
  readonly bearer: string;
  /** Network address of the client. */
  readonly address: string;
  /** Id of the HTTP request that came to the MCP endpoint: log and audit lines of the call have it too. */
  readonly requestId: string;
}

/** A request of the REST API. */
export interface OwnRequest {
  readonly method: string;
  /** With the prefix and the query. */
  readonly path: string;
  /** JSON. */
  readonly body?: string | undefined;
}

/** The members of a socket that the HTTP server of Node.js and the gateway use. */
type ServedSocket = Duplex & { remoteAddress: string; destroySoon(): void };

/**
 * The REST API of this gateway, called without a network: the caller's credential and address go through the
 * same server as if the caller had called by itself. So no check, limit or log line is skipped.
 */
export class OwnApi {
  constructor(
    private readonly server: () => Server,
    /** The `Host` of the requests. */
    private readonly host: string,
  ) {}

  /**
   * Resolves with the answer when its headers are there; its body has to be read or destroyed.
   * @throws when the signal aborts, or the server closes the connection
   */
  send({ method, path, body }: OwnRequest, caller: OwnCaller, signal: AbortSignal): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const request = httpRequest({
        method,
        path,
        signal,
        createConnection: () => this.connect(caller.address),
        headers: {
          Host: this.host,
          Accept: 'application/json',
          Authorization: `Bearer ${caller.bearer}`,
          Connection: 'close',
          'X-Request-Id': caller.requestId,
          ...(body === undefined
            ? {}
            : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
        },
      });
      request.once('response', resolve).once('error', reject).end(body);
    });
  }

  /** Node.js takes any stream as a connection ("Event: 'connection'" of `http.Server`). */
  private connect(address: string): Duplex {
    const [ours, theirs] = duplexPair();
    const served: ServedSocket = Object.assign(theirs, {
      remoteAddress: address,
      destroySoon: () => void theirs.end(),
    });
    // The request reports a broken connection.
    served.on('error', () => undefined);
    serveOwnConnection(this.server(), served);
    return ours;
  }
}
