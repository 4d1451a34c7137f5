import type { ClientRequest } from 'node:http';

/**
 * Fails a request whose server answers 101. Without a listener, Node.js closes the connection and reports
 * neither a response nor an error, so that the request would wait forever.
 */
export function failOnUpgrade(request: ClientRequest, fail: (error: Error) => void): void {
  request.once('upgrade', (_response, socket) => {
    socket.destroy();
    fail(new Error('the server switched protocols'));
  });
}
