import type { Socket } from 'node:net';
import type { MaybePromise } from '../../kernel/maybe-promise';
import { hearBytes } from './socket-reads';

/** Reads the messages of one side. */
export interface MessageHandler {
  push(chunk: Buffer): void;
  /** Deals with the next message. False when there is none; a promise when it takes longer. */
  next(): MaybePromise<boolean>;
}

/** A socket that always has more to read is read many times in a row, up to two megabytes, before any other has its turn. */
const TURN_MS = 5;
/**
 * Nor does it take more in a turn, however fast that goes: a server that has refused the first message of a long
 * pipeline is heard after so much of the rest, not after the two megabytes.
 */
const TURN_BYTES = 256 * 1024;

/**
 * What one side sends, dealt with message by message in the order of coming. While a message takes longer the side
 * rests, and what was dealt with before goes on.
 */
export class Inbound {
  private isBusy = false;
  /** It had its turn: the other side, with an error to tell, and other clients come first. */
  private isYielding = false;
  /** When it began with what it deals with in this turn of the event loop. */
  private turnBegan: number | undefined;
  /** What it took in this turn. */
  private turnBytes = 0;
  private isOver = false;
  private hasEnded = false;
  private waiting: Promise<void> | undefined;

  constructor(
    private readonly socket: Socket,
    private readonly handler: MessageHandler,
    /** Sends what was dealt with; a promise where something else must be done first. */
    private readonly flush: () => MaybePromise<void>,
    private readonly hear: {
      /** Everything that came was dealt with, and nothing more comes; it may be said again when the socket closes. */
      readonly ended: () => void;
      readonly failed: (error: unknown) => void;
      /** Whether to rest for another reason. */
      readonly mustRest: () => boolean;
      /** Nothing more is dealt with, and nobody waits for what was. */
      readonly abandoned: () => void;
    },
  ) {}

  start(first: Buffer): void {
    this.socket.on('end', this.sawEnd).on('close', this.sawEnd);
    if (first.length > 0) this.take(first);
    hearBytes(this.socket, (chunk) => this.take(chunk));
    // It may have ended while nobody listened.
    if (this.socket.readableEnded || this.socket.destroyed) this.sawEnd();
    this.breathe();
  }

  /** Rests, or goes on, as it is now. */
  breathe(): void {
    if (this.isOver) return;
    if (this.isBusy || this.isYielding || this.hear.mustRest()) this.socket.pause();
    else this.socket.resume();
  }

  /** Nothing is dealt with any more. Resolves when what was under way has come to rest; never rejects. */
  async stop(): Promise<void> {
    this.isOver = true;
    this.hear.abandoned();
    await this.waiting;
  }

  private take(chunk: Buffer): void {
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
    setImmediate(() => {
      this.turnBegan = undefined;
      this.turnBytes = 0;
      if (!this.isYielding) return;
      this.isYielding = false;
      this.breathe();
    });
  }

  private work(): void {
    try {
      const waiting = this.dealWithAll();
      if (waiting === undefined) {
        if (this.hear.mustRest()) this.socket.pause();
        if (this.hasEnded) this.end();
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
    if (this.isOver) return this.hear.abandoned();
    this.work();
    this.breathe();
  }

  /** What has to be waited for before more can be dealt with. */
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
    if (!this.isBusy) this.end();
  };

  private end(): void {
    if (this.isOver) return;
    this.hear.ended();
  }

  private fail(error: unknown): void {
    if (this.isOver) this.hear.abandoned();
    else this.hear.failed(error);
  }
}

/** Unlike `Promise.all`, it waits for the other one too where one fails: nothing goes on behind the caller's back. */
async function both(one: Promise<unknown>, other: Promise<unknown>): Promise<void> {
  for (const outcome of await Promise.allSettled([one, other]))
    if (outcome.status === 'rejected') throw outcome.reason;
}
