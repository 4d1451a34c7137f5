import type { ServerChannel } from 'ssh2';
import { bytesOf } from '../../../kernel/text/buffers';
import type { ClientSink } from '../channels/client-sink';
import type { ProgramExit } from '../channels/ending';
import type { ClientConnection } from '../driver/client-connection';
import { forgetSent } from '../driver/channel-parts';

/**
 * Signals with a name in the protocol (RFC 4254, section 6.10), with the prefix of Node.js. The driver throws
 * for others, such as `SIG@openssh.com`.
 */
const SIGNALS: ReadonlySet<string> = new Set(
  'ABRT ALRM FPE HUP ILL INT KILL PIPE QUIT SEGV TERM USR1 USR2'.split(' ').map((name) => `SIG${name}`),
);
/** Exit code for a program that another signal ended; OpenSSH's own client shows the same. */
const EXIT_UNKNOWN_SIGNAL = 255;
/** Bytes that may wait for the client before their source is paused. */
const HIGH_WATER_BYTES = 256 * 1024;
/**
 * Time after which a channel is closed although its client has not read the last words, if it was hurried.
 */
const READ_WITHIN_MS = 1_000;

/**
 * Writes output and error output to a channel of a client, in order and one piece after another: the driver
 * mixes them up when both wait for the client (`channel-parts.ts`).
 */
export class ChannelSink implements ClientSink {
  private queue: Buffer[] = [];
  private queuedBytes = 0;
  /** The pieces of the queue, and of what is passed to `write`, that belong to the error output. */
  private readonly errors = new WeakSet<Buffer>();
  room: () => void = () => undefined;
  private isWriting = false;
  private lastExit: ProgramExit | undefined;
  private isEnding = false;
  private isHurried = false;
  /** Whether the channel is closed, or about to be closed. */
  hasLeft = false;
  private late: NodeJS.Timeout | undefined;
  private readonly forgetRoom: () => void;
  private readonly forgetLeft: () => void;
  private hasEnded!: () => void;

  /** Resolves when the channel is closed, or about to be closed. */
  readonly ended = new Promise<void>((resolve) => {
    this.hasEnded = resolve;
  });

  constructor(
    private readonly channel: ServerChannel,
    private readonly connection: ClientConnection,
    /** Whether the client shows the channel in a terminal, which needs a carriage return for each line. */
    private readonly hasTerminal: boolean,
  ) {
    channel.once('close', () => this.leave());
    // The driver does not close the channels of a lost connection.
    this.forgetLeft = connection.onLeft(() => this.leave());
    // Errors are ignored, because `close` follows.
    channel.on('error', () => undefined);
    channel.stderr.on('error', () => undefined);
    this.forgetRoom = connection.onRoom(() => this.room());
  }

  get isFull(): boolean {
    return this.queuedBytes > HIGH_WATER_BYTES || this.connection.isFull;
  }

  get waitingBytes(): number {
    return this.queuedBytes;
  }

  line(sentence: string): Buffer {
    return Buffer.from(this.hasTerminal ? `${sentence}\r\n` : `${sentence}\n`);
  }

  asError(piece: Buffer): Buffer {
    this.errors.add(piece);
    return piece;
  }

  write(pieces: readonly Buffer[]): void {
    if (this.isEnding) return;
    for (const piece of pieces) this.queue.push(piece);
    this.queuedBytes += bytesOf(pieces);
    this.writeNext();
  }

  exitWith(exit: ProgramExit): void {
    this.lastExit = exit;
  }

  hurry(): void {
    this.queue = [];
    this.queuedBytes = 0;
    if (this.isHurried) return;
    this.isHurried = true;
    this.late = setTimeout(() => this.leave(), READ_WITHIN_MS).unref();
  }

  end(lastWords: Buffer): void {
    if (this.isEnding) return;
    if (lastWords.length > 0) this.write([this.asError(lastWords)]);
    this.isEnding = true;
    this.writeNext();
  }

  endInstead(exit: ProgramExit, lastWords: Buffer): void {
    if (this.hasLeft) return;
    this.hurry();
    this.isEnding = false;
    this.exitWith(exit);
    this.end(lastWords);
  }

  private writeNext(): void {
    if (this.isWriting) return;
    const piece = this.queue.shift();
    if (piece === undefined) {
      if (this.isEnding) this.leave();
      return;
    }
    this.isWriting = true;
    forgetSent(this.channel);
    const stream = this.errors.has(piece) ? this.channel.stderr : this.channel;
    stream.write(piece, () => this.written(piece.length));
  }

  private written(bytes: number): void {
    this.isWriting = false;
    const wasFull = this.isFull;
    this.queuedBytes = Math.max(0, this.queuedBytes - bytes);
    this.writeNext();
    if (wasFull && !this.isFull) this.room();
  }

  private leave(): void {
    this.hasLeft = true;
    clearTimeout(this.late);
    this.forgetRoom();
    this.forgetLeft();
    this.isEnding = true;
    this.queue = [];
    const { channel, lastExit } = this;
    if (lastExit !== undefined) {
      this.lastExit = undefined;
      if ('code' in lastExit) channel.exit(lastExit.code);
      else if (!SIGNALS.has(lastExit.signal)) channel.exit(EXIT_UNKNOWN_SIGNAL);
      else channel.exit(lastExit.signal, lastExit.isCoreDumped, lastExit.description);
    }
    // Without a write that waits, the driver sends EOF before it closes the channel.
    if (this.isWriting) channel.close();
    else channel.end();
    this.hasEnded();
  }
}
