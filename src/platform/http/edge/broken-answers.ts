import type { Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/**
 * Resets the connection when an answer breaks off over HTTP/1.0, which some reverse proxies use towards the
 * gateway. In HTTP/1.0 the end of the connection ends the body, so an incomplete body would look complete
 * after a clean end. In HTTP/1.1, chunks and lengths show that a body is incomplete. With TLS, the missing
 * close_notify shows it.
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
