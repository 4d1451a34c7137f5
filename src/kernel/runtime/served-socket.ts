import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { Server as TlsServer } from 'node:tls';

/**
 * Lets a server serve a connection that this process made itself. No TLS is needed, because the connection
 * does not leave the machine. An HTTPS server starts a TLS handshake on a `connection` event. On a
 * `secureConnection` event it serves plain HTTP.
 */
export function serveOwnConnection(server: Server, socket: Duplex): void {
  server.emit(server instanceof TlsServer ? 'secureConnection' : 'connection', socket);
}
