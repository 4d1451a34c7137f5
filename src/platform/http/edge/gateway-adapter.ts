import { ExpressAdapter } from '@nestjs/platform-express';
import type { ServerCertificate } from '../../tls/server-certificate';
import { createHttpServer } from '../../tls/tls-server';
import { settlesWithin } from '../../../kernel/async/timeout';
import { resetBrokenAnswers } from './broken-answers';
import { answerBrokenRequests } from './broken-requests';
import { OpenSockets } from './open-sockets';
import { MAX_HEAD_BYTES } from './sound-headers';

export interface ServerLimits {
  /** Maximum time for the headers of a request, and then for the whole request, to arrive. */
  readonly requestMs: number;
}

/**
 * Longer than the idle time-out of most load balancers, which is 60 s. Otherwise a load balancer
 * would sometimes send a request on a connection that was just closed, and its caller would get 502.
 */
const IDLE_CONNECTION_MS = 65_000;
/** Checks of Node.js for slow requests, per time limit. */
const CHECKS_A_TIME_LIMIT = 20;

/**
 * Listeners on one answer: five of ours wait for its end, for the log, metrics and shutdown, and Node.js adds
 * seven when it pipes a stream into it. Above 10 it warns of a leak.
 */
const LISTENERS_OF_ANSWER = 20;

/** After the server is closed, for connections that it does not count: those of this process's own making. */
const CLOSED_WITHIN_MS = 1_000;

/**
 * Express on a server with the gateway's limits. Requests that the server
 * itself refuses are answered like all others.
 */
export class GatewayAdapter extends ExpressAdapter {
  /** Gets the status of each request that is refused before there is a route. */
  onRefused: (status: number) => void = () => undefined;
  /** Is called when nothing is left of any request. */
  onClosed: () => void = () => undefined;
  private sockets: OpenSockets | undefined;

  constructor(
    private readonly limits: ServerLimits,
    private readonly certificate: ServerCertificate,
  ) {
    super();
  }

  override initHttpServer(): void {
    const { requestMs } = this.limits;
    const server = createHttpServer(
      { certificate: this.certificate, port: 'rest' },
      {
        handshakeTimeout: requestMs,
        requestTimeout: requestMs,
        headersTimeout: requestMs,
        connectionsCheckingInterval: Math.ceil(requestMs / CHECKS_A_TIME_LIMIT),
        keepAliveTimeout: IDLE_CONNECTION_MS,
        maxHeaderSize: MAX_HEAD_BYTES,
        // `requireSoundHeaders` refuses a request without Host, with a message.
        requireHostHeader: false,
      },
      this.getInstance(),
    );
    // Node.js silently drops headers beyond its own limit, possibly a second Host or an If-Match.
    server.maxHeadersCount = 0;
    server.prependListener('request', (_request, response) => response.setMaxListeners(LISTENERS_OF_ANSWER));
    resetBrokenAnswers(server);
    answerBrokenRequests(server, (status) => this.onRefused(status));
    this.sockets = new OpenSockets(server);
    this.httpServer = server;
  }

  /**
   * Resolves when the listeners of every connection know that it is closed. `close()` of the server does so
   * before the last one has.
   */
  override async close(): Promise<void> {
    await super.close();
    const { sockets } = this;
    if (sockets !== undefined && !(await settlesWithin(sockets.allClosed(), CLOSED_WITHIN_MS)))
      sockets.destroy();
    this.onClosed();
  }
}
