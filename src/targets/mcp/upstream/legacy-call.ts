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
 * Events that nobody has taken yet. A stream of the call's own is then not read on; for others, notifications
 * are dropped and requests refused.
 */
const MOST_WAITING = 64;

/**
 * One request at a legacy server, from sending it to its answer. It outlives
 * an exchange that ends with `input`.
 */
export class LegacyCall {
  /** Aborts what the call itself has open. */
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

  /** Whether as many events wait as may wait. */
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

  /** The next event. Rejects when the signal aborts. */
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

  /** Requests of the server that are there already, behind the first one. */
  takeAsked(): RpcRequest[] {
    const asked: RpcRequest[] = [];
    for (let first = this.waiting[0]; first?.kind === 'asked'; first = this.waiting[0]) {
      asked.push(first.request);
      this.waiting.shift();
    }
    return asked;
  }

  /** Forgets requests of the server that nobody has seen. Returns whether there was one. */
  withdraw(isWithdrawn: (request: RpcRequest) => boolean): boolean {
    const at = this.waiting.findIndex((event) => event.kind === 'asked' && isWithdrawn(event.request));
    if (at >= 0) this.waiting.splice(at, 1);
    return at >= 0;
  }

  /** Resolves when the events that wait are few. */
  async room(): Promise<void> {
    while (this.isFull && !this.isOver && !this.controller.signal.aborted)
      await new Promise<void>((resolve) => {
        this.roomMaker = resolve;
        this.controller.signal.addEventListener('abort', () => resolve(), { once: true });
      });
  }

  /** Nothing more comes of it, and nothing is read for it. */
  abandon(): void {
    this.isOver = true;
    this.waiting.length = 0;
    this.controller.abort();
    this.roomMaker?.();
  }
}
