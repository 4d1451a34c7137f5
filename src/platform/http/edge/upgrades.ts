import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The connection of a request that asks to continue as a WebSocket. */
export interface Upgrade {
  readonly socket: Socket;
  /** Bytes that arrived after the request. */
  readonly head: Buffer;
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** The connection of a request that asks to continue as a WebSocket; undefined for all other requests. */
export function upgradeOf(request: IncomingMessage): Upgrade | undefined {
  return upgrades.get(request);
}

/** Whether a request asks to continue as a WebSocket (RFC 6455, section 4.1). */
export function isForWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}

/** Option of `createServer`, from Node.js 24.9: for which requests Node.js gives the connection away. */
export interface UpgradeOption {
  readonly shouldUpgradeCallback: (request: IncomingMessage) => boolean;
}

/**
 * Serves requests that ask to continue as a WebSocket like all others, so that each passes the same steps,
 * and is logged and refused alike. A handler that takes the connection (`upgradeOf`) sets the status 101 and
 * answers by itself; the response closes with the connection.
 *
 * Before Node.js 24.9, a server can only give away the connections of all requests with `Upgrade`. Some
 * programs send it with ordinary requests, to offer HTTP/2, so there this does nothing: such requests are
 * answered as if they had none.
 */
export function serveUpgrades(server: Server): void {
  if (!('shouldUpgradeCallback' in server)) return;
  server.on('upgrade', (request, duplex, head) => {
    const socket = duplex as Socket;
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    socket.on('error', () => undefined);
    response.once('finish', () => socket.destroySoon());
    upgrades.set(request, { socket, head });
    server.emit('request', request, response);
  });
}
