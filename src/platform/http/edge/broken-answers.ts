import type { Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/**
 * Resets the connection of an answer that breaks off over HTTP/1.0, which some reverse proxies speak to
 * gateways. There the end of the connection is the end of the body, so a clean end would make half a body a
 * whole one. Over HTTP/1.1, chunks and lengths show it. With TLS, the missing close_notify shows it.
 */
export function resetBrokenAnswers(server: Server): void {
  server.prependListener('request', ({ httpVersion, socket }, response) => {
    if (httpVersion !== '1.0' || !(socket instanceof Socket) || socket instanceof TLSSocket) return;
    const destroy = response.destroy.bind(response);
    response.destroy = (error): ServerResponse => {
      if (response.headersSent && !response.writableFinished) socket.resetAndDestroy();
      return destroy(error);
    };
  });
}
