import { type IncomingMessage, type Server, request as httpRequest } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import { serveOwnConnection } from '../../kernel/runtime/served-socket';

/** The client that calls the API: its token, its address and the id of its request. */
export interface OwnCaller {
  readonly bearer: string;
  /** Network address of the client. */
  readonly address: string;
  /** Id of the HTTP request to the MCP endpoint. Log and audit lines of the API call have the same id. */
  readonly requestId: string;
}

/** A request of the REST API. */
export interface OwnRequest {
  readonly method: string;
  /** Path with the API prefix and the query. */
  readonly path: string;
  /** Body of the request, as JSON. */
  readonly body?: string | undefined;
}

/** The members of a socket that the HTTP server of Node.js and the gateway use. */
type ServedSocket = Duplex & { remoteAddress: string; destroySoon(): void };

/**
 * Calls the REST API of this gateway without a network. Each call has the client's own credential and address
 * and passes through the same HTTP server, so no check, limit or log line is skipped.
 */
export class OwnApi {
  constructor(
    private readonly server: () => Server,
    /** Value of the `Host` header of all requests. */
    private readonly host: string,
  ) {}

  /**
   * Sends a request. Resolves once the headers of the answer have arrived. The caller must read or destroy
   * the body.
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

  /** Opens an in-memory connection: `http.Server` accepts any stream (Node.js, "Event: 'connection'"). */
  private connect(address: string): Duplex {
    const [ours, theirs] = duplexPair();
    const served: ServedSocket = Object.assign(theirs, {
      remoteAddress: address,
      destroySoon: () => void theirs.end(),
    });
    // Ignores errors on the server's side of the connection, because `request` reports a broken connection.
    served.on('error', () => undefined);
    serveOwnConnection(this.server(), served);
    return ours;
  }
}
