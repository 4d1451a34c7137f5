import { type ProgramExit, programEnded } from '../channels/ending';
import type { ClientSink } from '../channels/client-sink';
import { type PageSocket, WINDOW_BYTES } from './page-socket';

/** Time after which a hurried connection is closed, although the page has not read the last words. */
const READ_WITHIN_MS = 1_000;

/**
 * Writes to a page of the portal. A browser reads whatever arrives, also if its page cannot show it as
 * fast. So the page reports how much it has shown, and the source rests while too much is not shown.
 */
export class PageSink implements ClientSink {
  room: () => void = () => undefined;
  /** Pieces that are sentences beside packets of SFTP. */
  private readonly said = new WeakSet<Buffer>();
  /** Bytes that have not left the process. */
  private queuedBytes = 0;
  /** Bytes that the page has not shown. */
  private unreadBytes = 0;
  private lastExit: ProgramExit | undefined;
  private isEnding = false;
  private late: NodeJS.Timeout | undefined;
  private hasEnded!: () => void;

  readonly ended = new Promise<void>((resolve) => {
    this.hasEnded = resolve;
  });

  constructor(private readonly socket: PageSocket) {
    const gone = (): void => {
      clearTimeout(this.late);
      this.isEnding = true;
      this.hasEnded();
    };
    if (socket.left.aborted) gone();
    else socket.left.addEventListener('abort', gone, { once: true });
  }

  get isFull(): boolean {
    return Math.max(this.queuedBytes, this.unreadBytes) > WINDOW_BYTES;
  }

  get hasLeft(): boolean {
    return this.isEnding;
  }

  get waitingBytes(): number {
    return this.queuedBytes;
  }

  line(sentence: string): Buffer {
    return Buffer.from(`${sentence}\r\n`);
  }

  /** A terminal shows both kinds of output alike. */
  asError(piece: Buffer): Buffer {
    if (this.socket.purpose === 'files') this.said.add(piece);
    return piece;
  }

  write(pieces: readonly Buffer[]): void {
    if (this.isEnding) return;
    for (const piece of pieces) {
      this.queuedBytes += piece.length;
      const sent = (): void => this.changed(() => void (this.queuedBytes -= piece.length));
      if (this.said.has(piece)) this.socket.tell({ type: 'say', text: piece.toString() }, sent);
      else {
        this.unreadBytes += piece.length;
        this.socket.send(piece, sent);
      }
    }
  }

  /** Notes that the page has shown so many bytes. */
  shown(bytes: number): void {
    this.changed(() => void (this.unreadBytes = Math.max(0, this.unreadBytes - bytes)));
  }

  exitWith(exit: ProgramExit): void {
    this.lastExit = exit;
  }

  hurry(): void {
    this.late ??= setTimeout(() => this.socket.destroy(), READ_WITHIN_MS).unref();
  }

  end(lastWords: Buffer): void {
    if (this.isEnding) return;
    if (lastWords.length > 0) this.write([this.asError(lastWords)]);
    this.isEnding = true;
    const { lastExit } = this;
    this.socket.tell({
      type: 'end',
      exit_code: lastExit === undefined ? null : programEnded(lastExit).exitCode,
    });
    this.socket.close();
  }

  endInstead(exit: ProgramExit, lastWords: Buffer): void {
    if (this.hasLeft) return;
    this.hurry();
    this.exitWith(exit);
    this.end(lastWords);
  }

  private changed(change: () => void): void {
    const wasFull = this.isFull;
    change();
    if (wasFull && !this.isFull) this.room();
  }
}
