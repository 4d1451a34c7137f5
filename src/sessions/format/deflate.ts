import { type DeflateRaw, constants, createDeflateRaw } from 'node:zlib';

/** The fastest level, because sessions wait until recordings are written. */
export const COMPRESSION_LEVEL = 1;

/** Size of zlib's output pieces. A compressed chunk of text often fits into one piece. */
const PIECE_BYTES = 64 * 1024;
/** Maximum idle compressors. More than two run in parallel only while large events are stored. */
const KEPT = 2;

/**
 * Compresses in a thread and reuses zlib's 270 KiB of memory. Allocating this memory for each chunk would
 * cost more than the recording itself, and would make the garbage collector scan the whole heap too often.
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

  /**
   * Compresses the bytes. Must not be called again before the promise settles. The bytes must not change
   * until then.
   */
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

/** Compresses to raw deflate (RFC 1951) in a thread. The bytes must not change until the promise settles. */
export async function deflateInThread(bytes: Buffer): Promise<Buffer> {
  const compressor = idle.pop() ?? new Compressor();
  const payload = await compressor.deflate(bytes);
  // Keeps only a compressor that did not fail: after an error, this line is not reached.
  if (idle.length < KEPT) idle.push(compressor);
  return payload;
}
