import type { IncomingMessage } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { ServerCertificate } from '../../tls/server-certificate';
import { createHttpServer } from '../../tls/tls-server';
import { settlesWithin } from '../../../kernel/async/timeout';
import { resetBrokenAnswers } from './broken-answers';
import { answerBrokenRequests } from './broken-requests';
import { OpenSockets } from './open-sockets';
import { MAX_HEAD_BYTES } from './sound-headers';
import { type UpgradeOption, isForWebSocket, serveUpgrades } from './upgrades';

export interface ServerLimits {
  /** Maximum time for the headers of a request to arrive, and also for the whole request. */
  readonly requestMs: number;
}

/**
 * Time-out of idle connections: longer than that of most load balancers, which is 60 s. Otherwise a load
 * balancer would sometimes send a request on a connection that was just closed, and its caller would get 502.
 */
const IDLE_CONNECTION_MS = 65_000;
/** Number of times that Node.js checks for slow requests within one time limit. */
const CHECKS_A_TIME_LIMIT = 20;

/**
 * Maximum number of listeners on one answer. Five listeners of the gateway wait for the end of the answer,
 * for the log, metrics and shutdown. Node.js adds seven when it pipes a stream into the answer. By default,
 * Node.js warns of a leak above 10.
 */
const LISTENERS_OF_ANSWER = 20;

/** Maximum wait for connections that this process made to its own server. `close` does not wait for them. */
const CLOSED_WITHIN_MS = 1_000;

/**
 * Express on a server with the gateway's limits. Requests that Node.js itself refuses are answered in the
 * same form as all others.
 */
export class GatewayAdapter extends ExpressAdapter {
  /** Called with the status of each request that is refused before it reaches a route. */
  onRefused: (status: number) => void = () => undefined;
  /** Whether a request with `Upgrade: websocket` may continue as a WebSocket. */
  mayUpgrade: (request: IncomingMessage) => boolean = () => false;
  /** Called when all connections are closed and no request is left. */
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
    const upgrades: UpgradeOption = {
      shouldUpgradeCallback: (request) => isForWebSocket(request) && this.mayUpgrade(request),
    };
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
        ...upgrades,
      },
      this.getInstance(),
    );
    // No limit, because Node.js would silently drop headers beyond it: perhaps a second Host or an If-Match.
    server.maxHeadersCount = 0;
    server.prependListener('request', (_request, response) => response.setMaxListeners(LISTENERS_OF_ANSWER));
    resetBrokenAnswers(server);
    serveUpgrades(server);
    answerBrokenRequests(server, (status) => this.onRefused(status));
    this.sockets = new OpenSockets(server);
    this.httpServer = server;
  }

  /**
   * Resolves when the `close` listeners of all connections have run. The server's own `close()` resolves
   * before the last listener has run.
   */
  override async close(): Promise<void> {
    await super.close();
    const { sockets } = this;
    if (sockets !== undefined && !(await settlesWithin(sockets.allClosed(), CLOSED_WITHIN_MS)))
      sockets.destroy();
    this.onClosed();
  }
}
