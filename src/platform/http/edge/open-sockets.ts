import type { Server } from 'node:http';
import { Server as TlsServer } from 'node:tls';
import type { Duplex } from 'node:stream';

/**
 * The connections that a server answers on, also those of this process's own making (`serveOwnConnection`),
 * which the server does not count.
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

  /** Resolves when all listeners of `close` of all connections have run. */
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
