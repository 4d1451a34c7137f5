import type { Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/**
 * Lets an answer that breaks off show it over HTTP/1.0 too, which some reverse proxies speak to what is behind them. Chunks and lengths show it by
 * themselves; where the end of the connection is the end of the body, the connection is reset, because an end would make half a body a whole one.
 * With TLS, the missing farewell (close_notify) shows it.
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
