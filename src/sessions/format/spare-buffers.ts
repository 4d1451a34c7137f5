/**
 * Buffers of this size and more are kept; smaller ones cost little. Larger ones than the second size belong
 * to a rare event.
 */
const FROM_BYTES = 128 * 1024;
const UP_TO_BYTES = 512 * 1024;
/** Buffers that are kept: those of two shipments of one session. */
const KEPT = 16;

const spare: Buffer[] = [];

/**
 * A buffer of at least this size, with any content. Large ones are those that
 * were given back, if there are any.
 */
export function bufferOf(bytes: number): Buffer {
  if (bytes < FROM_BYTES) return Buffer.allocUnsafe(bytes);
  const place = spare.findIndex(({ length }) => length >= bytes);
  return place === -1 ? Buffer.allocUnsafeSlow(bytes) : (spare.splice(place, 1)[0] as Buffer);
}

/**
 * Keeps the buffer for `bufferOf`. The caller, and everybody who got a part of it, must not use it any more.
 * A long result fills many large buffers, one after another: each new one brings the next run of the garbage
 * collector over the whole heap nearer.
 */
export function giveBack(buffer: Buffer): void {
  const isWhole = buffer.length === buffer.buffer.byteLength;
  if (isWhole && buffer.length >= FROM_BYTES && buffer.length <= UP_TO_BYTES && spare.length < KEPT)
    spare.push(buffer);
}
