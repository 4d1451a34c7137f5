import type { Socket } from 'node:net';
import type { Eventual } from '../kernel/eventual';

/** Reads the messages of one side. */
export interface MessageHandler {
  push(chunk: Buffer): void;
  /** Deals with the next message. False when there is none; a promise when it takes longer. */
  next(): Eventual<boolean>;
}

/**
 * What one side sends, dealt with message by message in the order of coming. While a message takes longer the side
 * rests, and what was dealt with before goes on.
 */
export class Inbound {
  private isBusy = false;
  private isOver = false;
  private hasEnded = false;

  constructor(
    private readonly socket: Socket,
    private readonly handler: MessageHandler,
    /** Sends what was dealt with; a promise where something else must be done first. */
    private readonly flush: () => Eventual<void>,
    private readonly hear: {
      /** Everything that came was dealt with, and nothing more comes. */
      readonly ended: () => void;
      readonly failed: (error: unknown) => void;
      /** Whether to rest for another reason. */
      readonly mustRest: () => boolean;
    },
  ) {}

  start(first: Buffer): void {
    this.socket.on('data', (chunk) => this.take(chunk));
    this.socket.on('end', () => {
      this.hasEnded = true;
      if (!this.isBusy) this.end();
    });
    if (first.length > 0) this.take(first);
    this.breathe();
  }

  /** Rests, or goes on, as it is now. */
  breathe(): void {
    if (this.isOver) return;
    if (this.isBusy || this.hear.mustRest()) this.socket.pause();
    else this.socket.resume();
  }

  /** Nothing is dealt with any more. */
  stop(): void {
    this.isOver = true;
  }

  private take(chunk: Buffer): void {
    if (this.isOver) return;
    this.handler.push(chunk);
    if (!this.isBusy) this.work();
  }

  private work(): void {
    try {
      const waiting = this.dealWithAll();
      if (waiting === undefined) {
        if (this.hear.mustRest()) this.socket.pause();
        if (this.hasEnded) this.end();
        return;
      }
      void this.wait(waiting);
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
    if (this.isOver) return;
    this.work();
    this.breathe();
  }

  /** What has to be waited for before more can be dealt with. */
  private dealWithAll(): Promise<unknown> | undefined {
    for (;;) {
      const more = this.handler.next();
      if (more === true) continue;
      const flushed = this.flush();
      if (more instanceof Promise) return flushed instanceof Promise ? Promise.all([more, flushed]) : more;
      return flushed instanceof Promise ? flushed : undefined;
    }
  }

  private end(): void {
    if (this.isOver) return;
    this.hear.ended();
  }

  private fail(error: unknown): void {
    if (!this.isOver) this.hear.failed(error);
  }
}
