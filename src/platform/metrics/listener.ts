import { once } from 'node:events';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { SharedCheck } from '../../kernel/async/shared-check';
import type { Scrape } from './exposition';

/** Time limit for a request. A slower scraper is disconnected. */
const REQUEST_WITHIN_MS = 5_000;
const MOST_CONNECTIONS = 64;

/** Time limits in milliseconds. */
interface ServerTimes {
  readonly requestTimeout: number;
  readonly headersTimeout: number;
  readonly handshakeTimeout: number;
}

/**
 * Answers `GET /metrics`. Concurrent scrapes share one answer, so many scrapers cost no more than one.
 *
 * @param openServer makes a server, with or without TLS. The server must not listen yet.
 * @throws Error for the operator, if another program listens on the port
 */
export async function listenForScrapes(
  { host, port }: { readonly host: string; readonly port: number },
  openServer: (limits: ServerTimes, listener: RequestListener) => Server,
  scrape: () => Promise<Scrape>,
): Promise<Server> {
  const shared = new SharedCheck(scrape, 0);
  const limits = {
    requestTimeout: REQUEST_WITHIN_MS,
    headersTimeout: REQUEST_WITHIN_MS,
    handshakeTimeout: REQUEST_WITHIN_MS,
  };
  const server = openServer(limits, (request, response) => {
    answer(request, response, shared).catch(() => response.destroy());
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.listen({ host, port, exclusive: true });
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    const sentence = `Something else listens on ${host}:${port} already. Stop it, or set METRICS_PORT to a free port.`;
    throw new Error(sentence, { cause: error });
  }
  return server;
}

async function answer(
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
  scrape: SharedCheck<Scrape>,
): Promise<void> {
  if (url.split('?', 1)[0] !== '/metrics') return refuse(response, 404, 'metrics are at /metrics\n');
  if (method !== 'GET' && method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    return refuse(response, 405, 'metrics are read by GET\n');
  }
  const { contentType, text } = await scrape.result();
  response.setHeader('Content-Type', contentType);
  response.setHeader('Cache-Control', 'no-store');
  response.end(text);
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' });
  response.end(message);
}
