import type { Readable } from 'node:stream';

/** Number of bytes that wait in a stream, from which its reader is slow. */
const SLOW_FROM_BYTES = 64 * 1024;
/** Size of joined pieces. */
const JOINED_BYTES = 4 * 1024;

/**
 * Joins the small pieces of a stream while its reader is slow. A peer may send a window of 2 MiB in
 * messages of one byte, and each piece that waits costs some hundred bytes of memory beside its content. To
 * be called before anything arrives.
 */
export function joinSmallPieces(stream: Readable): void {
  const push = stream.push.bind(stream);
  let held: Buffer | undefined;
  let used = 0;
  const flush = (): void => {
    if (held === undefined) return;
    const piece = held.subarray(0, used);
    held = undefined;
    used = 0;
    push(piece);
  };
  stream.push = (data: unknown, encoding?: BufferEncoding): boolean => {
    const isSmall = Buffer.isBuffer(data) && data.length <= JOINED_BYTES;
    if (!isSmall || used + data.length > JOINED_BYTES) flush();
    if (!isSmall || stream.readableLength < SLOW_FROM_BYTES) {
      flush();
      return push(data, encoding);
    }
    if (held === undefined) {
      held = Buffer.allocUnsafe(JOINED_BYTES);
      setImmediate(flush);
    }
    used += data.copy(held, used);
    return stream.readableLength + used < stream.readableHighWaterMark;
  };
}
