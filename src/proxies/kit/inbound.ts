import type { Readable } from 'node:stream';
import type { MaybePromise } from '../../kernel/async/maybe-promise';
import { onSocketData } from './socket-reads';

/** Splits the bytes that one side of a connection sends into messages, and handles these messages. */
export interface MessageHandler {
  push(chunk: Buffer): void;
  /** Handles the next message. False when there is none; a promise when the work is asynchronous. */
  next(): MaybePromise<boolean>;
}

/**
 * Maximum time for one socket per turn of the event loop. Without it, Node.js reads up to 2 MB from a busy
 * socket before it reads from another one.
 */
const TURN_MS = 5;
/**
 * Maximum bytes of one socket per turn of the event loop. If a server refuses the first message of a long
 * pipeline, its error is then read after at most this many further bytes, not after 2 MB.
 */
const TURN_BYTES = 256 * 1024;

/**
 * Reads one side of a connection and handles its messages in order. While a message is handled asynchronously
 * the socket is paused, and the results of earlier messages are flushed.
 */
export class Inbound {
  private isBusy = false;
  /** Whether this side has used up its share of the event loop's turn, so that others are handled first. */
  private isYielding = false;
  /** Time at which this side began to work in the current turn of the event loop. */
  private turnBegan: number | undefined;
  /** Bytes read in the current turn of the event loop. */
  private turnBytes = 0;
  private isOver = false;
  private hasEnded = false;
  private waiting: Promise<void> | undefined;

  constructor(
    /** A socket, or a channel within one. */
    private readonly socket: Readable,
    private readonly handler: MessageHandler,
    /** Sends the results of handled messages. Returns a promise if they cannot be sent at once. */
    private readonly flush: () => MaybePromise<void>,
    private readonly callbacks: {
      /** Called when all input is handled and no more input can come. May be called again at `close`. */
      readonly ended: () => void;
      readonly failed: (error: unknown) => void;
      /** Whether the socket must be paused for a reason outside this class. */
      readonly mustRest: () => boolean;
      /** Called by `stop`, and again when its last work ends. Must ignore errors of unfinished results. */
      readonly abandoned: () => void;
      /** Called when all complete messages are handled and flushed, and no promise is pending. */
      readonly settled?: () => void;
    },
  ) {}

  /** @param copyOf see `onSocketData`. */
  start(first: Buffer, copyOf?: (read: Buffer) => Buffer): void {
    this.socket.on('end', this.sawEnd).on('close', this.sawEnd);
    if (first.length > 0) this.receiveChunk(first);
    onSocketData(this.socket, (chunk) => this.receiveChunk(chunk), copyOf);
    // The socket may have ended before this object listened.
    if (this.socket.readableEnded || this.socket.destroyed) this.sawEnd();
    this.breathe();
  }

  /** Pauses or resumes the socket according to the current state. */
  breathe(): void {
    if (this.isOver) return;
    if (this.isBusy || this.isYielding || this.callbacks.mustRest()) this.socket.pause();
    else this.socket.resume();
  }

  /** Whether all that has arrived was read: false while the socket is paused. */
  get isCaughtUp(): boolean {
    return !this.socket.isPaused() && this.socket.readableLength === 0;
  }

  /** Stops handling messages. Resolves when the work in progress has ended; never rejects. */
  async stop(): Promise<void> {
    this.isOver = true;
    this.callbacks.abandoned();
    await this.waiting;
  }

  private receiveChunk(chunk: Buffer): void {
    if (this.isOver) return;
    this.handler.push(chunk);
    this.beginTurn();
    if (!this.isBusy) this.work();
    this.turnBytes += chunk.length;
    if (this.turnBytes < TURN_BYTES && performance.now() - (this.turnBegan ?? 0) < TURN_MS) return;
    this.isYielding = true;
    this.socket.pause();
  }

  private beginTurn(): void {
    if (this.turnBegan !== undefined) return;
    this.turnBegan = performance.now();
    atEndOfTurn(this);
  }

  /** Called when the current turn of the event loop is over. */
  turnEnded(): void {
    this.turnBegan = undefined;
    this.turnBytes = 0;
    if (!this.isYielding) return;
    this.isYielding = false;
    this.breathe();
  }

  private work(): void {
    try {
      const waiting = this.dealWithAll();
      if (waiting === undefined) {
        this.callbacks.settled?.();
        if (this.callbacks.mustRest()) this.socket.pause();
        if (this.hasEnded) this.reportEnd();
        return;
      }
      this.waiting = this.wait(waiting);
    } catch (error) {
      this.fail(error);
    }
  }

  private async wait(waiting: Promise<unknown>): Promise<void> {
    this.isBusy = true;
    this.socket.pause();
    try {
      await waiting;
    } catch (error) {
      return this.fail(error);
    }
    this.isBusy = false;
    if (this.isOver) return this.callbacks.abandoned();
    this.work();
    this.breathe();
  }

  /** Handles messages until one must be awaited or none is left. Returns a promise if it must be awaited. */
  private dealWithAll(): Promise<unknown> | undefined {
    for (;;) {
      const more = this.handler.next();
      if (more === true) continue;
      const flushed = this.flush();
      if (more instanceof Promise) return flushed instanceof Promise ? both(more, flushed) : more;
      return flushed instanceof Promise ? flushed : undefined;
    }
  }

  private readonly sawEnd = (): void => {
    this.hasEnded = true;
    if (!this.isBusy) this.reportEnd();
  };

  private reportEnd(): void {
    if (this.isOver) return;
    this.callbacks.ended();
  }

  private fail(error: unknown): void {
    if (this.isOver) this.callbacks.abandoned();
    else this.callbacks.failed(error);
  }
}

/** The connection sides that handled a message in the current turn of the event loop. */
let inTurn: Inbound[] = [];

/**
 * Registers a connection side, whose `turnEnded` is called at the end of the event loop's turn. All sides
 * share one callback, because with many busy clients one callback for each would be a noticeable cost.
 */
function atEndOfTurn(side: Inbound): void {
  if (inTurn.length === 0) setImmediate(endTurn);
  inTurn.push(side);
}

function endTurn(): void {
  const ended = inTurn;
  inTurn = [];
  for (const side of ended) side.turnEnded();
}

/**
 * Unlike `Promise.all`, waits for both promises even if one rejects, so that no work continues unobserved.
 */
async function both(one: Promise<unknown>, other: Promise<unknown>): Promise<void> {
  for (const outcome of await Promise.allSettled([one, other]))
    if (outcome.status === 'rejected') throw outcome.reason;
}
