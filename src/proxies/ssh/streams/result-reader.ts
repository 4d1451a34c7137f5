import type { Delivery, GatedStream } from '../../../gate/gated-stream';
import type { Session } from '../../../gate/session';
import { type MaybePromise, thenMaybe } from '../../../kernel/async/maybe-promise';
import type { OutputReader } from './stream-readers';
import { HeldBytes } from './held-bytes';

/** Thrown when an output rule refuses the rest of the output. Its message is recorded already. */
export class OutputBlocked extends Error {}

/** Maximum length of a line that waits for its end, in UTF-16 code units. */
const MAX_LINE = 16 * 1024;
/** Time without output after which a person at a terminal gets what the screen holds back. */
const FLUSH_AFTER_MS = 25;
const NOTHING: Buffer = Buffer.alloc(0);

type Released = Delivery<Buffer | string>;

interface ProgramOutputOptions {
  readonly type: 'o' | 'e';
  readonly isTerminal: boolean;
  /** Marks a piece with the stream to which it belongs. */
  readonly mark: (piece: Buffer) => Buffer;
  /** Called when output is deliverable although nothing more has arrived. */
  readonly flushed: () => void;
  readonly failed: (error: unknown) => void;
}

/** Screens and records one output stream of a program: its output, or its error output. */
export class ProgramOutputReader implements OutputReader {
  private readonly chunks: Buffer[] = [];
  private deliverable: Buffer[] = [];
  private stream: GatedStream | undefined;
  private readonly held: HeldBytes;
  /** The beginning of a line, as a text that is not screened yet. */
  private begun = '';
  /** Whether the screen has the beginning of a line whose end has not arrived. */
  private isWithinLine = false;
  /** The work of `flush`, which the next output waits for: a screen does one thing at a time. */
  private flushing: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly session: Session,
    private readonly options: ProgramOutputOptions,
  ) {
    this.held = new HeldBytes(options.isTerminal);
  }

  push(chunk: Buffer): void {
    clearTimeout(this.timer);
    this.chunks.push(chunk);
  }

  /** @throws (or rejects with) OutputBlocked, or a fault of screening */
  next(): MaybePromise<boolean> {
    if (this.flushing !== undefined) return this.flushing.then(() => true);
    const chunk = this.chunks.shift();
    if (chunk === undefined) return false;
    // Recorded here, because the client gets the very bytes, and the screen knows their text alone.
    const stream = (this.stream ??= this.session.openStream(this.options.type, true));
    if (!stream.isScreened)
      return thenMaybe(stream.pushBytes(chunk, false), (delivery) => this.deliver(delivery, chunk));
    return thenMaybe(this.screen(stream, this.held.push(chunk)), () => {
      if (this.options.isTerminal) this.timer = setTimeout(() => this.flush(stream), FLUSH_AFTER_MS).unref();
      return true;
    });
  }

  /** Ends the stream, and releases what was held back. @throws as `next` does */
  async finish(): Promise<void> {
    clearTimeout(this.timer);
    await this.flushing;
    const { stream } = this;
    if (stream === undefined || stream.isOver) return;
    if (stream.isScreened) this.release(await stream.push(this.begun + this.held.finish()));
    this.begun = '';
    this.release(await stream.finish());
  }

  abandon(): void {
    clearTimeout(this.timer);
  }

  /** Takes what may be delivered when its recording is durable. */
  takePieces(): Buffer[] {
    const pieces = this.deliverable;
    this.deliverable = [];
    return pieces;
  }

  /** Releases what is held back while a program waits for a person. */
  private flush(stream: GatedStream): void {
    if (stream.isOver) return;
    const flushed = async (): Promise<void> => {
      if (this.begun !== '') {
        const begun = this.begun;
        this.begun = '';
        this.isWithinLine = true;
        this.release(await stream.push(begun));
      }
      this.release(await stream.flush());
    };
    this.flushing = flushed()
      .then(this.options.flushed, this.options.failed)
      .finally(() => (this.flushing = undefined));
  }

  /**
   * Screens whole lines as such, because most of them are then released at once. A line without an end waits
   * for it, up to a limit.
   */
  private screen(stream: GatedStream, text: string): MaybePromise<void> {
    const all = this.begun + text;
    const lines = all.lastIndexOf('\n') + 1;
    // The rest of a line of which the screen has the beginning.
    const rest = this.isWithinLine ? all.indexOf('\n') + 1 || all.length : 0;
    const open = Math.max(lines, rest);
    const isLong = all.length - open > MAX_LINE;
    this.isWithinLine = isLong || (this.isWithinLine && lines === 0);
    this.begun = isLong ? '' : all.slice(open);
    return this.releaseEach([
      () => (rest > 0 ? stream.push(all.slice(0, rest)) : undefined),
      () => (lines > rest ? stream.pushBytes(Buffer.from(all.slice(rest, lines)), true) : undefined),
      () => (isLong ? stream.push(all.slice(open)) : undefined),
    ]);
  }

  private releaseEach([part, ...others]: readonly (() => MaybePromise<
    Released | undefined
  >)[]): MaybePromise<void> {
    if (part === undefined) return undefined;
    return thenMaybe(part(), (delivery) => {
      if (delivery !== undefined) this.release(delivery);
      return this.releaseEach(others);
    });
  }

  private release(delivery: Released): void {
    if (delivery.kind === 'deliver') this.deliver(delivery, this.held.release(delivery.upTo, delivery.masks));
    else this.deliver(delivery, NOTHING);
  }

  private deliver(delivery: Released, piece: Buffer): true {
    if (delivery.kind === 'blocked') throw new OutputBlocked(delivery.message);
    if (piece.length === 0) return true;
    void this.session.note({ type: this.options.type, content: piece });
    this.deliverable.push(this.options.mark(piece));
    return true;
  }
}
