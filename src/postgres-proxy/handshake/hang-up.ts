import type { Socket } from 'node:net';

/** How long a client may take to read its last words. */
const READ_WITHIN_MS = 1_000;

/**
 * Closes a connection so that the last words reach the client: what it still sends is read and thrown away, as
 * unread bytes would make the system reset the connection, and the words be lost with it.
 */
export function hangUp(socket: Socket, lastWords?: Buffer): void {
  if (socket.destroyed) return;
  if (lastWords === undefined) socket.end();
  else socket.end(lastWords);
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), READ_WITHIN_MS).unref();
  socket.once('close', () => clearTimeout(timer));
}
