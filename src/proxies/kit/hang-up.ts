import type { Socket } from 'node:net';

/** Time after which the connection is destroyed if the client has read nothing. */
const READ_WITHIN_MS = 1_000;
/** Time after which the connection is destroyed even if the client still reads. */
const READ_AT_MOST_MS = 30_000;

/**
 * Closes a connection so that the last message reaches the client. Input that still arrives is read and
 * discarded. Otherwise the operating system resets the connection, and the last message is lost.
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
