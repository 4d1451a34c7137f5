import type { Readable } from 'node:stream';

/** Number of bytes that are read in one turn of the event loop. Parsing them takes a few milliseconds. */
const BYTES_PER_TURN = 128 * 1024;

/**
 * Lets the event loop turn while a stream emits much `data` at once. Node.js reads up to 2 MiB from a socket
 * in one turn, and would handle all of it before anything else. Call this after adding the `data` handler, so
 * that the handler gets each chunk first. Other code must not pause the stream.
 */
export function paceReads(stream: Pick<Readable, 'on' | 'pause' | 'resume'>): void {
  let taken = 0;
  stream.on('data', (chunk: Buffer) => {
    taken += chunk.length;
    if (taken < BYTES_PER_TURN) return;
    taken = 0;
    stream.pause();
    setImmediate(() => stream.resume());
  });
}
