import type { UpstreamRequest } from '../../../targets/mcp/upstream';

/** Maximum time in milliseconds that a client may take to answer a request of the server. */
export const INPUT_MS = 15 * 60_000;
/** Maximum number of requests in one client's MCP session that wait for input concurrently. */
const MOST = 64;

/** A request that waits for input from its client. */
export interface UnfinishedRequest {
  /** The request without its continuation, that is, without earlier input and state. */
  readonly request: UpstreamRequest;
  /** The server's own state of the request. */
  readonly state: string | undefined;
  /** Must be called once an approved call is over. */
  readonly over: (() => Promise<void>) | undefined;
}

/**
 * The requests of an MCP session that wait for input from the client. The key is the serial number of the
 * last message about the request. A request is removed once: by the message that continues it, or by
 * `abandon` if no message comes in time or too many requests wait.
 */
export class UnfinishedRequests {
  private readonly waiting = new Map<number, { unfinished: UnfinishedRequest; timer: NodeJS.Timeout }>();

  /**
   * @param abandon ends a request that no message continues; never rejects
   * @param ended aborts when the client's visit ends; all waiting requests are dropped then
   */
  constructor(
    private readonly abandon: (unfinished: UnfinishedRequest, why: string) => Promise<void>,
    ended: AbortSignal,
  ) {
    ended.addEventListener('abort', () => this.clear(), { once: true });
  }

  add(serial: number, unfinished: UnfinishedRequest): void {
    const [oldest] = this.waiting.keys();
    if (this.waiting.size >= MOST && oldest !== undefined)
      this.expire(oldest, 'Too many requests of the client wait for its input.');
    const timer = setTimeout(
      () => this.expire(serial, `The client gave no input within ${INPUT_MS / 60_000} minutes.`),
      INPUT_MS,
    );
    timer.unref();
    this.waiting.set(serial, { unfinished, timer });
  }

  take(serial: number): UnfinishedRequest | undefined {
    const found = this.waiting.get(serial);
    clearTimeout(found?.timer);
    this.waiting.delete(serial);
    return found?.unfinished;
  }

  private expire(serial: number, why: string): void {
    const unfinished = this.take(serial);
    if (unfinished !== undefined) void this.abandon(unfinished, why);
  }

  private clear(): void {
    for (const { timer } of this.waiting.values()) clearTimeout(timer);
    this.waiting.clear();
  }
}
