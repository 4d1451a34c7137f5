import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { Server as TlsServer } from 'node:tls';

/**
 * Has a server answer what comes on a connection of this process's own making, without TLS: such a connection
 * leaves the machine nowhere. A server of HTTPS would begin a handshake on a `connection`; on a
 * `secureConnection`, it serves HTTP as any other.
 */
export function serveOwnConnection(server: Server, socket: Duplex): void {
  server.emit(server instanceof TlsServer ? 'secureConnection' : 'connection', socket);
}
