/**
 * Minimum and maximum size of the buffers that are kept for reuse. Smaller buffers are cheap to allocate.
 * Larger buffers are rarely needed.
 */
const FROM_BYTES = 128 * 1024;
const UP_TO_BYTES = 512 * 1024;
/** Maximum number of kept buffers: enough for two statements that store chunks of one session. */
const KEPT = 16;

const spare: Buffer[] = [];

/** Returns a buffer of at least this size, with any content. Reuses a kept buffer if there is one. */
export function bufferOf(bytes: number): Buffer {
  if (bytes < FROM_BYTES) return Buffer.allocUnsafe(bytes);
  const place = spare.findIndex(({ length }) => length >= bytes);
  return place === -1 ? Buffer.allocUnsafeSlow(bytes) : (spare.splice(place, 1)[0] as Buffer);
}

/**
 * Keeps a buffer for reuse by `bufferOf`. After this call, no code must use the buffer or a part of it. Reuse
 * saves garbage collections of the whole heap, because a long result fills many large buffers one after
 * another.
 */
export function giveBack(buffer: Buffer): void {
  const isWhole = buffer.length === buffer.buffer.byteLength;
  if (isWhole && buffer.length >= FROM_BYTES && buffer.length <= UP_TO_BYTES && spare.length < KEPT)
    spare.push(buffer);
}
