import type { Server } from 'node:http';
import { Server as TlsServer } from 'node:tls';
import type { Duplex } from 'node:stream';

/**
 * The open connections of a server. Includes the connections that this process itself hands to the server
 * (`serveOwnConnection`), because the server does not count them.
 */
export class OpenSockets {
  private readonly open = new Set<Duplex>();
  private emptied: (() => void) | undefined;

  constructor(server: Server) {
    server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Duplex) => {
      this.open.add(socket);
      socket.once('close', () => {
        this.open.delete(socket);
        if (this.open.size === 0) this.emptied?.();
      });
    });
  }

  /** Resolves when all connections are closed and their `close` listeners have run. */
  allClosed(): Promise<void> {
    if (this.open.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.emptied = resolve;
    });
  }

  destroy(): void {
    for (const socket of this.open) socket.destroy();
  }
}
