import { type DeflateRaw, constants, createDeflateRaw } from 'node:zlib';

/** Fast rather than small, because sessions wait for recordings to be written. */
export const COMPRESSION_LEVEL = 1;

/** Output comes in pieces of this size. A chunk of text often becomes one of them. */
const PIECE_BYTES = 64 * 1024;
/** Idle compressors that are kept. More work at once only while large events are stored beside others. */
const KEPT = 2;

/**
 * Compresses in a thread with zlib's memory of earlier calls, 270 KiB: allocated for each chunk of a
 * recording, it costs more than the memory of the recording itself, and makes the garbage collector walk the
 * whole heap again and again.
 */
class Compressor {
  private readonly stream: DeflateRaw;
  private pieces: Buffer[] = [];
  private failed: ((error: Error) => void) | undefined;

  constructor() {
    this.stream = createDeflateRaw({ level: COMPRESSION_LEVEL, chunkSize: PIECE_BYTES });
    this.stream.on('data', (piece: Buffer) => this.pieces.push(piece));
    this.stream.on('error', (error) => this.failed?.(error));
  }

  /** One call at a time. The bytes must not change until the result is there. */
  deflate(bytes: Buffer): Promise<Buffer> {
    const { stream } = this;
    return new Promise((resolve, reject) => {
      this.failed = reject;
      stream.write(bytes);
      stream.flush(constants.Z_FINISH, () => {
        const payload = Buffer.concat(this.pieces);
        this.pieces = [];
        stream.reset();
        resolve(payload);
      });
    });
  }
}

const idle: Compressor[] = [];

/**
 * The bytes as raw deflate (RFC 1951), compressed in a thread. They must not
 * change until the result is there.
 */
export async function deflateInThread(bytes: Buffer): Promise<Buffer> {
  const compressor = idle.pop() ?? new Compressor();
  const payload = await compressor.deflate(bytes);
  // A compressor that failed is not used again.
  if (idle.length < KEPT) idle.push(compressor);
  return payload;
}
