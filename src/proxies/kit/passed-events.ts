import type { Readable } from 'node:stream';

const LINE_FEED = 10;
/** Empty line that ends an event or a comment. */
const END = '\n\n';

/** Passes on a stream of server-sent events. Can end it early, but only between two events. */
export class PassedEvents {
  private isStopping = false;
  /** Number of line feeds at the end of the passed bytes, at most two. Two means that no event is open. */
  private lineFeeds = END.length;

  constructor(private readonly source: Readable) {}

  private get isBetweenEvents(): boolean {
    return this.lineFeeds === END.length;
  }

  /** Ends the stream: at once if no event is open, otherwise at the end of the open event. */
  stop(): void {
    this.isStopping = true;
    if (this.isBetweenEvents) this.source.destroy();
  }

  /** Yields the bytes to pass on. @throws when the source breaks off */
  async *pieces(): AsyncGenerator<Buffer> {
    try {
      for await (const bytes of this.source as AsyncIterable<Buffer>) {
        if (this.isStopping && this.isBetweenEvents) return;
        const piece = this.isStopping ? bytes.subarray(0, this.restOfEvent(bytes)) : bytes;
        this.count(piece);
        yield piece;
        if (this.isStopping && this.isBetweenEvents) return;
      }
    } catch (error) {
      if (!(this.isStopping && this.isBetweenEvents)) throw error;
    }
  }

  /** Returns the number of bytes at the start that still belong to the open event. */
  private restOfEvent(bytes: Buffer): number {
    if (this.lineFeeds === 1 && bytes[0] === LINE_FEED) return 1;
    const end = bytes.indexOf(END);
    return end < 0 ? bytes.length : end + END.length;
  }

  private count(bytes: Buffer): void {
    const [before, last] = bytes.subarray(-END.length);
    if (bytes.length === 1)
      this.lineFeeds = before === LINE_FEED ? Math.min(this.lineFeeds + 1, END.length) : 0;
    else if (last !== LINE_FEED) this.lineFeeds = 0;
    else this.lineFeeds = before === LINE_FEED ? END.length : 1;
  }
}
