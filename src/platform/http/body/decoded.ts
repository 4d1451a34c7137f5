import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { paceReads } from '../../../kernel/async/paced-reads';
import { EdgeFault } from '../edge/edge-fault';

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Returns the decoder of a `Content-Encoding`; undefined for none. @throws EdgeFault 415 if unsupported. */
export function decoderOf(encoding: string | undefined): Transform | undefined {
  const name = (encoding ?? 'identity').trim().toLowerCase();
  if (name === 'identity' || name === '') return undefined;
  if (!Object.hasOwn(decoders, name))
    throw new EdgeFault(415, 'the encoding of the request body is not supported', {
      'Accept-Encoding': 'gzip, deflate, br',
    });
  return decoders[name]?.();
}

/**
 * Passes every decoded chunk of the stream to `take`. Resolves at the end. Rejects when the stream breaks,
 * when `take` throws, or when the bytes are not encoded correctly. After an error, the rest of the stream is
 * read and discarded, because some callers read the answer only after they have sent the whole body.
 */
export function eachChunk(
  stream: Readable,
  decoder: Transform | undefined,
  take: (chunk: Buffer) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const source = decoder === undefined ? stream : stream.pipe(decoder);
    const settle = (error?: unknown): void => {
      source.off('data', onData);
      if (decoder !== undefined) stream.unpipe(decoder);
      decoder?.destroy();
      stream.resume();
      if (error === undefined) resolve();
      else reject(error);
    };
    const onData = (chunk: Buffer): void => {
      try {
        take(chunk);
      } catch (error) {
        settle(error);
      }
    };
    source.on('data', onData);
    paceReads(source);
    source.once('end', () => settle());
    const cutOff = () => settle(new EdgeFault(400, 'the request body was cut off'));
    stream.once('error', cutOff);
    // A stream that has ended was not cut off, even if the decoder has not decoded its last bytes yet.
    stream.once('close', () => {
      if (!stream.readableEnded) cutOff();
    });
    decoder?.on('error', () =>
      settle(new EdgeFault(400, 'the request body is not encoded as its Content-Encoding says')),
    );
  });
}
