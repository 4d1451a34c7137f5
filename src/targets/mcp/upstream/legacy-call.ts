import type { JsonObject } from '../../../kernel/json/json';
import type { RpcRequest } from '../protocol/rpc-messages';
import { INPUT_METHODS } from '../protocol/methods';
import { type UpstreamAnswer, UpstreamFault, type UpstreamRequest } from './contract';

/** Events of a request at a legacy server, in order. */
export type CallEvent =
  | { readonly kind: 'notification'; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'asked'; readonly request: RpcRequest }
  | { readonly kind: 'answered'; readonly answer: Extract<UpstreamAnswer, { kind: 'result' | 'error' }> }
  | { readonly kind: 'failed'; readonly error: unknown };

/**
 * Maximum number of events in the queue of a call. When the queue is full, the call's own stream is no longer
 * read. On a stream that calls share, notifications are then dropped, and requests of the server refused.
 */
const MOST_WAITING = 64;

/**
 * One request at a legacy server, from sending it to its answer. It outlives
 * an exchange that ends with `input`.
 */
export class LegacyCall {
  /** Aborts the request and the stream of the call. */
  readonly controller = new AbortController();
  isOver = false;
  private readonly waiting: CallEvent[] = [];
  private taker: ((event: CallEvent) => void) | undefined;
  private roomMaker: (() => void) | undefined;

  constructor(
    readonly id: number,
    readonly request: UpstreamRequest,
  ) {}

  /** Whether the server may ask for input during this request. */
  get takesInput(): boolean {
    return INPUT_METHODS.includes(this.request.method);
  }

  /** Whether the queue has the maximum number of events. */
  get isFull(): boolean {
    return this.waiting.length >= MOST_WAITING;
  }

  push(event: CallEvent): void {
    if (this.isOver) return;
    if (event.kind === 'answered' || event.kind === 'failed') this.isOver = true;
    if (event.kind === 'notification' && this.isFull) return;
    if (this.taker === undefined) this.waiting.push(event);
    else this.taker(event);
  }

  fail(error: unknown): void {
    this.push({ kind: 'failed', error });
  }

  /** Returns the next event. Rejects when the signal aborts. */
  next(signal: AbortSignal): CallEvent | Promise<CallEvent> {
    const event = this.waiting.shift();
    this.roomMaker?.();
    if (event !== undefined && !signal.aborted) return event;
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.taker = undefined;
        reject(new UpstreamFault('lost', 'The MCP server did not answer.'));
      };
      if (signal.aborted) return stop();
      signal.addEventListener('abort', stop, { once: true });
      this.taker = (taken) => {
        this.taker = undefined;
        signal.removeEventListener('abort', stop);
        resolve(taken);
      };
    });
  }

  /** Removes the server's requests from the front of the queue, and returns them. */
  takeAsked(): RpcRequest[] {
    const asked: RpcRequest[] = [];
    for (let first = this.waiting[0]; first?.kind === 'asked'; first = this.waiting[0]) {
      asked.push(first.request);
      this.waiting.shift();
    }
    return asked;
  }

  /** Removes a matching request of the server from the queue. Returns whether there was one. */
  withdraw(isWithdrawn: (request: RpcRequest) => boolean): boolean {
    const at = this.waiting.findIndex((event) => event.kind === 'asked' && isWithdrawn(event.request));
    if (at >= 0) this.waiting.splice(at, 1);
    return at >= 0;
  }

  /** Resolves when the queue of events has room, or the call has ended. */
  async room(): Promise<void> {
    while (this.isFull && !this.isOver && !this.controller.signal.aborted)
      await new Promise<void>((resolve) => {
        this.roomMaker = resolve;
        this.controller.signal.addEventListener('abort', () => resolve(), { once: true });
      });
  }

  /** Ends the call: drops its events, and aborts its request and stream. */
  abandon(): void {
    this.isOver = true;
    this.waiting.length = 0;
    this.controller.abort();
    this.roomMaker?.();
  }
}
