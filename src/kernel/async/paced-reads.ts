import type { Readable } from 'node:stream';

/** Parsing this much takes a few milliseconds at most. */
const BYTES_PER_TURN = 128 * 1024;

/**
 * Lets the event loop turn while a stream that is read by its `data` event delivers much at
 * once: Node.js reads up to 2 MiB from a socket in one turn, and all of it would be handled
 * before anything else. Call it after the handler of the data was added; both see each chunk in
 * this order. The stream must not be paused by anybody else.
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
