import { type Server, createServer } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import { answerBrokenRequests } from './broken-requests';

export interface ServerLimits {
  /** How long the headers of a request, and then all of it, may take to arrive. */
  readonly requestMs: number;
}

/**
 * Longer than what stands before a gateway keeps a connection that nobody uses, which is 60 s with most load balancers:
 * otherwise it now and then sends a request into one that was just closed, and its caller is told 502.
 */
const IDLE_CONNECTION_MS = 65_000;
/** How often Node looks for requests that take too long. */
const CHECKS_A_TIME_LIMIT = 20;

/** Express on a server with the gateway's limits, whose own refusals are answered as all others. */
export class GatewayAdapter extends ExpressAdapter {
  constructor(private readonly limits: ServerLimits) {
    super();
  }

  override initHttpServer(): void {
    const { requestMs } = this.limits;
    const server: Server = createServer(
      {
        requestTimeout: requestMs,
        headersTimeout: requestMs,
        connectionsCheckingInterval: Math.ceil(requestMs / CHECKS_A_TIME_LIMIT),
        keepAliveTimeout: IDLE_CONNECTION_MS,
        // A request without a Host is refused by `requireSoundHeaders`, in words.
        requireHostHeader: false,
      },
      this.getInstance(),
    );
    // Node drops headers beyond a limit of its own without a word: also a second Host, or an If-Match.
    server.maxHeadersCount = 0;
    answerBrokenRequests(server);
    this.httpServer = server;
  }
}
