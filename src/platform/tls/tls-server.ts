import { type RequestListener, type Server, type ServerOptions, createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { Logger } from '@nestjs/common';
import { OLDEST_TLS } from '../config/tls-pair';
import type { ServerCertificate, TlsPort } from './server-certificate';

/**
 * Minimum time between two log lines about clients that use plain HTTP on a TLS port. Otherwise a health
 * check would fill the log.
 */
const TELL_EVERY_MS = 60_000;

/**
 * Makes a server for HTTP, or for HTTPS if the port uses TLS. It switches to each new certificate. Open
 * connections keep the old certificate. Their TLS sessions cannot be resumed, because the session tickets
 * become invalid.
 */
export function createHttpServer(
  { certificate, port }: { readonly certificate: ServerCertificate; readonly port: TlsPort },
  options: ServerOptions & { readonly handshakeTimeout: number },
  listener: RequestListener,
): Server {
  const pair = certificate.pairFor(port);
  if (pair === undefined) return createServer(options, listener);
  const context = { minVersion: OLDEST_TLS } as const;
  const server = createTlsServer({ ...options, ...context, ...pair }, listener);
  certificate.onReplaced((next) => server.setSecureContext({ ...context, ...next }));
  // By default, Node.js reports failed TLS handshakes as broken requests, which the gateway would try to
  // answer. But no answer can be sent before TLS is established.
  server.removeAllListeners('tlsClientError');
  const log = new Logger('Tls');
  let lastTold = Number.NEGATIVE_INFINITY;
  server.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
    socket.destroy();
    if (error.code !== 'ERR_SSL_HTTP_REQUEST' || performance.now() - lastTold < TELL_EVERY_MS) return;
    lastTold = performance.now();
    log.warn(
      { address: socket.remoteAddress, port },
      'A client spoke plain HTTP to a port with TLS. Have it use https, or leave the port out of TLS_PORTS',
    );
  });
  return server;
}
