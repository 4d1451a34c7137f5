import { TextDecoder } from 'node:util';
import type { ClientChannel } from 'ssh2';

/** Takes text; rejects if no more is wanted. */
export type TakeText = (type: 'o' | 'e', text: string) => Promise<void>;

/**
 * Reads the output and the error output of a channel as text, piece by piece, in the order in which they
 * arrived. Both are paused while a piece is taken, so that a slow taker slows the server down. Bytes that are
 * not UTF-8 become U+FFFD, in the recording, for rules and for the caller alike; a character that is cut
 * between two pieces is kept whole.
 */
export class ChannelOutput {
  private readonly decoders = { o: decoder(), e: decoder() };
  private chain: Promise<void> = Promise.resolve();
  private waiting = 0;

  /** Resolves when both have ended and all was taken. Rejects as soon as `take` rejects. */
  readonly done: Promise<void>;

  constructor(
    private readonly channel: ClientChannel,
    private readonly take: TakeText,
  ) {
    this.done = new Promise((resolve, reject) => {
      this.rejected = reject;
      const ends = [this.read('o', channel), this.read('e', channel.stderr)];
      Promise.all(ends)
        .then(() => this.chain)
        .then(resolve, reject);
    });
  }

  private rejected: (error: unknown) => void = () => undefined;

  private read(type: 'o' | 'e', stream: NodeJS.ReadableStream): Promise<void> {
    return new Promise((resolve) => {
      stream.on('data', (bytes: Buffer) => {
        this.push(type, this.decoders[type].decode(bytes, { stream: true }));
      });
      stream.once('end', () => {
        this.push(type, this.decoders[type].decode());
        resolve();
      });
    });
  }

  private push(type: 'o' | 'e', text: string): void {
    if (text === '') return;
    const { channel } = this;
    this.waiting += 1;
    channel.pause();
    channel.stderr.pause();
    this.chain = this.chain
      .then(() => this.take(type, text))
      .finally(() => {
        this.waiting -= 1;
        if (this.waiting > 0) return;
        channel.resume();
        channel.stderr.resume();
      });
    // Rejects at once, and not at the end, to stop a script whose output is refused.
    this.chain.catch(this.rejected);
  }
}

/** Keeps a byte order mark, which is output as any other character. */
function decoder(): TextDecoder {
  return new TextDecoder('utf-8', { ignoreBOM: true });
}
