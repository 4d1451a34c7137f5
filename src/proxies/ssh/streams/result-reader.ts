import type { Delivery, GatedStream } from '../../../gate/gated-stream';
import type { Session } from '../../../gate/session';
import { type MaybePromise, thenMaybe } from '../../../kernel/async/maybe-promise';
import type { OutputReader } from './stream-readers';
import { HeldBytes } from './held-bytes';

/** Thrown when an output rule refuses the rest of the output. Its message is recorded already. */
export class OutputBlocked extends Error {}

/** Maximum length of a line that waits for its end, in UTF-16 code units. */
const MAX_LINE = 16 * 1024;
/** Time without output after which a client that may have to answer gets what the screen holds back. */
const FLUSH_AFTER_MS = 25;
/**
 * Maximum number of bytes that wait for their text to be released. No screen holds back so much text, so this
 * limits the codes of a terminal between the letters of a text.
 */
const MAX_HELD_BYTES = 256 * 1024;
const NOTHING: Buffer = Buffer.alloc(0);

type Released = Delivery<Buffer | string>;

interface ProgramOutputOptions {
  readonly type: 'o' | 'e';
  readonly isTerminal: boolean;
  /** Marks a piece with the stream to which it belongs. */
  readonly mark: (piece: Buffer) => Buffer;
  /** Whether the program may wait for its client: not after the client has ended its input. */
  readonly mayWait: () => boolean;
  /** Whether all output that has arrived was read. */
  readonly isCaughtUp: () => boolean;
  /** Called when output is deliverable although nothing more has arrived. */
  readonly flushed: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Screens and records one output stream of a program: its output, or its error output. When the rules change,
 * the new ones screen what is held back, and look at the text before it. They do not know what was shown
 * while no rule applied to output.
 */
export class ProgramOutputReader implements OutputReader {
  private readonly chunks: Buffer[] = [];
  private deliverable: Buffer[] = [];
  private stream: GatedStream | undefined;
  /** The rules by which the stream is screened. */
  private rules: object | undefined;
  private readonly held: HeldBytes;
  /** The beginning of a line, as a text that is not screened yet. */
  private begun = '';
  /** Whether the screen has the beginning of a line whose end has not arrived. */
  private isWithinLine = false;
  /** The work of `flush`, which the next output waits for: a screen does one thing at a time. */
  private flushing: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private polled: NodeJS.Immediate | undefined;
  private isAbandoned = false;

  constructor(
    private readonly session: Session,
    private readonly options: ProgramOutputOptions,
  ) {
    this.held = new HeldBytes(options.isTerminal);
  }

  push(chunk: Buffer): void {
    this.stopWaiting();
    this.chunks.push(chunk);
  }

  /** @throws (or rejects with) OutputBlocked, or a fault of screening */
  next(): MaybePromise<boolean> {
    if (this.flushing !== undefined) return this.flushing.then(() => true);
    const chunk = this.chunks.shift();
    if (chunk === undefined) return false;
    return thenMaybe(this.currentStream(), (stream) => this.read(stream, chunk));
  }

  /** Ends the stream, and releases what was held back. @throws as `next` does */
  async finish(): Promise<void> {
    this.stopWaiting();
    await this.flushing;
    if (this.stream === undefined || this.stream.isOver) return;
    const stream = await this.currentStream();
    if (stream.isScreened) this.release(await stream.push(this.begun + this.held.finish()));
    this.begun = '';
    this.release(await stream.finish());
  }

  abandon(): void {
    this.isAbandoned = true;
    this.stopWaiting();
  }

  /** Takes what may be delivered when its recording is durable. */
  takePieces(): Buffer[] {
    const pieces = this.deliverable;
    this.deliverable = [];
    return pieces;
  }

  private read(stream: GatedStream, chunk: Buffer): MaybePromise<boolean> {
    if (!stream.isScreened)
      return thenMaybe(stream.pushBytes(chunk, false), (delivery) => this.deliver(delivery, chunk));
    return thenMaybe(this.screen(stream, this.held.push(chunk)), () => {
      this.passOn(this.held.releaseCodes());
      if (this.held.size > MAX_HELD_BYTES) return this.releaseAll(stream);
      this.waitForOutput(stream);
      return true;
    });
  }

  /**
   * Waits for further output, and flushes the stream if the program sends none. Time in which the gateway
   * does not read does not count: neither a pause of the source, nor a busy event loop. Its timers come
   * before the poll phase, which reads what has arrived meanwhile, and `setImmediate` after it.
   */
  private waitForOutput(stream: GatedStream): void {
    if (this.isAbandoned) return;
    const waited = (): void => {
      if (this.options.isCaughtUp()) this.flush(stream);
      else this.waitForOutput(stream);
    };
    const polling = (): void => void (this.polled = setImmediate(waited));
    this.timer = setTimeout(polling, FLUSH_AFTER_MS).unref();
  }

  private stopWaiting(): void {
    clearTimeout(this.timer);
    clearImmediate(this.polled);
  }

  /**
   * Returns the stream under the current rules: a program may run for days, and no command asks for them
   * meanwhile.
   */
  private currentStream(): MaybePromise<GatedStream> {
    return thenMaybe(this.session.followRules(), () => {
      const { rules } = this.session;
      if (this.stream !== undefined && (this.stream.isOver || rules === this.rules)) return this.stream;
      const former = this.stream;
      this.rules = rules;
      // Recorded here, because the client gets the very bytes, and the screen knows their text alone.
      const stream = this.session.openStream(this.options.type, true, former?.giveUp());
      this.stream = stream;
      return former === undefined ? stream : thenMaybe(this.succeed(stream), () => stream);
    });
  }

  /** Screens what the former stream held back by the rules of the new one. */
  private succeed(stream: GatedStream): MaybePromise<unknown> {
    this.begun = '';
    this.isWithinLine = true;
    if (stream.isScreened) return this.screen(stream, this.held.restart());
    this.held.finish();
    const rest = this.held.release(Number.POSITIVE_INFINITY, []);
    return thenMaybe(stream.pushBytes(rest, false), (delivery) => this.deliver(delivery, rest));
  }

  /**
   * Releases what is held back while a program waits for its client: a person at a prompt, or another
   * program, as `scp` waits for each byte of `scp -t`.
   */
  private flush(stream: GatedStream): void {
    if (stream.isOver || !this.options.mayWait()) return;
    this.flushing = this.releaseAll(stream)
      .then(this.options.flushed, this.options.failed)
      .finally(() => (this.flushing = undefined));
  }

  /** Releases what is held back. A hit in it that later text completes is still found from there on. */
  private async releaseAll(stream: GatedStream): Promise<true> {
    if (this.begun !== '') {
      const { begun } = this;
      this.begun = '';
      this.isWithinLine = true;
      this.release(await stream.push(begun));
    }
    this.release(await stream.flush());
    return true;
  }

  /**
   * Screens whole lines as such, because most of them are then released at once. A line without an end waits
   * for it, up to a limit.
   */
  private screen(stream: GatedStream, text: string): MaybePromise<void> {
    const all = this.begun + text;
    // The beginning of a line has no line feed, and is not searched for one with each further letter.
    const end = text.lastIndexOf('\n');
    const lines = end === -1 ? 0 : this.begun.length + end + 1;
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
    return this.passOn(piece);
  }

  private passOn(piece: Buffer): true {
    if (piece.length === 0) return true;
    void this.session.note({ type: this.options.type, content: piece });
    this.deliverable.push(this.options.mark(piece));
    return true;
  }
}
