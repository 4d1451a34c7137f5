import type { Socket } from 'node:net';

/** Maximum time for which a client may read nothing, before the connection is destroyed. */
const READ_WITHIN_MS = 1_000;
/** Maximum time in which a client that keeps reading must take everything. */
const READ_AT_MOST_MS = 30_000;

/**
 * Closes a connection so that the last message reaches the client. Input that still
 * arrives is read and discarded: when unread bytes remain, the operating system
 * resets the connection and the last message is lost.
 */
export function hangUp(socket: Socket, lastWords?: Buffer): void {
  if (socket.destroyed) return;
  if (lastWords === undefined) socket.end();
  else socket.end(lastWords);
  socket.resume();
  let left = socket.writableLength;
  let waited = 0;
  const look = setInterval(() => {
    waited += READ_WITHIN_MS;
    if (socket.writableLength < left && waited < READ_AT_MOST_MS) left = socket.writableLength;
    else socket.destroy();
  }, READ_WITHIN_MS).unref();
  socket.once('close', () => clearInterval(look));
}
