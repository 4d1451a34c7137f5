import type { Readable } from 'node:stream';

/**
 * The bytes of a stream to its end. Undefined: there are more than `maxBytes`; then the stream is paused, and
 * its further course is the caller's. Short bodies cost half of what they cost with `for await`.
 * @throws (rejects) with what broke the stream
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
      // Later errors have no reader, and must not end the process.
      stream.on('error', () => undefined);
    };
    stream.on('end', end).on('close', close).on('error', fail).on('data', take);
  });
}

function brokenOff(): Error {
  return new Error('the stream was closed before its end');
}
