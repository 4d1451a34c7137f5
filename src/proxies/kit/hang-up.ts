import type { Socket } from 'node:net';

/** How long a client may take to read its last words, or to go on reading what comes before them. */
const READ_WITHIN_MS = 1_000;
/** One that reads ever so slowly is not waited for any longer. */
const READ_AT_MOST_MS = 30_000;

/**
 * Closes a connection so that the last words reach the client: what it still sends is read and thrown away, as
 * unread bytes would make the system reset the connection, and the words be lost with it.
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
