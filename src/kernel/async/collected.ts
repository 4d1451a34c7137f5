import type { Readable } from 'node:stream';

/**
 * Reads a stream to its end and returns its bytes. Returns undefined if there are more than `maxBytes`. Then
 * the stream is paused, and the caller decides what to do with it. For short bodies this costs half as much
 * as `for await`.
 * @throws (rejects) the error that broke the stream
 */
export function collected(stream: Readable, maxBytes: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    if (stream.readableEnded) return resolve(Buffer.alloc(0));
    if (stream.destroyed) return reject(stream.errored ?? brokenOff());
    const chunks: Buffer[] = [];
    let bytes = 0;
    const take = (chunk: Buffer): void => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes <= maxBytes) return;
      leave();
      stream.pause();
      resolve(undefined);
    };
    const end = (): void => {
      leave();
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, bytes));
    };
    const fail = (error: Error): void => {
      leave();
      reject(error);
    };
    const close = (): void => fail(brokenOff());
    const leave = (): void => {
      stream.off('data', take).off('end', end).off('close', close).off('error', fail);
      // Nothing listens for later errors, but they must not end the process.
      stream.on('error', () => undefined);
    };
    stream.on('end', end).on('close', close).on('error', fail).on('data', take);
  });
}

function brokenOff(): Error {
  return new Error('the stream was closed before its end');
}
