import { AppError } from '../../../kernel/app-error';
import { settlesWithin } from '../../../kernel/async/timeout';
import type { Json, JsonObject } from '../../../kernel/json/json';
import { UpstreamFault } from '../../../targets/mcp/upstream';
import type { ServedVisit } from '../visits/served-visit';
import { StreamPlace } from '../visits/stream-place';

/**
 * Maximum time in milliseconds that a request, or a newer subscription, waits for a subscription to begin.
 */
const BEGIN_MS = 1_000;

/** Receives the server's changes for an MCP session, and supplies the log level of that session. */
interface ChangeHandling {
  logLevel(): string;
  notify(method: string, params: JsonObject): Promise<void>;
  /**
   * Receives the error if a subscription did not begin. The client's own request is already answered then.
   */
  failed(error: unknown): void;
}

/**
 * The subscription of a legacy session to the changes of its server. When the client subscribes to one more
 * resource, a new subscription to all its resources replaces the current one. The current one stays open
 * until the new one has begun, so that a refusal ends nothing and no change is lost. A modern server may send
 * a change to both meanwhile. Only one attempt to subscribe runs at a time. The next attempt covers all
 * requests that arrived meanwhile.
 */
export class ChangeSubscription {
  /** Resources whose updates the client wants, and which were not refused. */
  private readonly wanted = new Set<string>();
  /** Resources of the current subscription; empty if there is none. */
  private begun: ReadonlySet<string> = new Set();
  private readonly place = new StreamPlace();
  private current: AbortController | undefined;
  private running: Promise<void> | undefined;
  /** Whether the client changed its subscriptions after the current attempt began. */
  private isStale = false;
  /** Time of the client's last change (`performance.now()`). */
  private changedAt = 0;

  constructor(
    private readonly visit: Pick<ServedVisit, 'listen' | 'ended'>,
    private readonly handling: ChangeHandling,
  ) {}

  /** Number of resources that the client wants updates of. */
  get size(): number {
    return this.wanted.size;
  }

  has(uri: string): boolean {
    return this.wanted.has(uri);
  }

  /** Whether a subscription is open or being opened. */
  get isOpen(): boolean {
    return this.current !== undefined || this.running !== undefined;
  }

  /**
   * Waits until the wanted subscription has begun or is refused, because the next call could cause changes
   * that the client would miss. Waits only briefly, because a server may never confirm a subscription.
   */
  async opened(): Promise<void> {
    const left = BEGIN_MS - (performance.now() - this.changedAt);
    if (this.running !== undefined && left > 0) await settlesWithin(this.running, left);
  }

  /** Subscribes to the server's changes, and to updates of all resources in `wanted`. */
  begin(): void {
    if (this.visit.ended.aborted) return;
    this.isStale = true;
    this.changedAt = performance.now();
    this.running ??= this.run();
  }

  /** Subscribes to updates of one more resource. */
  subscribe(uri: string): void {
    this.wanted.add(uri);
    this.begin();
  }

  /** Unsubscribes from updates of one resource. */
  unsubscribe(uri: string): void {
    if (this.wanted.delete(uri)) this.begin();
  }

  /** Ends the current subscription. An attempt that has not begun yet ends with the client's MCP session. */
  end(): void {
    this.current?.abort();
  }

  /** Never rejects. */
  private async run(): Promise<void> {
    while (this.isStale && !this.visit.ended.aborted) {
      this.isStale = false;
      await this.attempt().catch((error: unknown) => this.handling.failed(error));
    }
    // Reset here and not in a callback of the promise, because a change that the client makes in between
    // would be lost.
    this.running = undefined;
  }

  private async attempt(): Promise<void> {
    const refusal = await this.refusalOf(this.wanted);
    if (refusal === undefined) return;
    const former = [...this.begun].filter((uri) => this.wanted.has(uri));
    const isPart = former.length > 0 && former.length < this.wanted.size;
    // A former resource may be refused now, for example by a newer rule. Then all resources are tried anew.
    if (!isPart || (await this.refusalOf(former)) !== undefined) {
      const general = this.wanted.size === 0 ? refusal : await this.refusalOf([]);
      if (general !== undefined) throw general;
    }
    await this.addParts(
      [...this.wanted].filter((uri) => !this.begun.has(uri)),
      refusal,
    );
  }

  /**
   * Adds the resources of which some were refused together, by halves. Leaves out those that are refused
   * alone. An error that is about no resource leaves what is wanted for the next attempt.
   */
  private async addParts(uris: readonly string[], refusal: unknown): Promise<void> {
    if (this.isStale || this.visit.ended.aborted) return;
    if (uris.length < 2) {
      for (const uri of uris) this.wanted.delete(uri);
      return this.handling.failed(refusal);
    }
    const middle = uris.length >> 1;
    for (const half of [uris.slice(0, middle), uris.slice(middle)]) {
      const other = await this.refusalOf([...this.begun, ...half]);
      if (other !== undefined) await this.addParts(half, other);
    }
  }

  /** Replaces the subscription. Returns the error if a rule or the server refuses a resource. */
  private async refusalOf(uris: Iterable<string>): Promise<unknown> {
    try {
      await this.replace(new Set(uris));
      return undefined;
    } catch (error) {
      if (isRefusal(error)) return error;
      throw error;
    }
  }

  private async replace(uris: ReadonlySet<string>): Promise<void> {
    const next = new AbortController();
    let isOver = false;
    const listening = this.visit.listen(
      { tools: true, prompts: true, resources: true, uris: [...uris] },
      {
        signal: next.signal,
        place: this.place,
        logLevel: () => this.handling.logLevel(),
        notify: async (method, params) => {
          if (!this.isUnsubscribed(params['uri'])) await this.handling.notify(method, params);
        },
        ended: () => {
          isOver = true;
          if (this.current === next) this.become(undefined, new Set());
        },
      },
    );
    while (!(await settlesWithin(listening, BEGIN_MS)))
      // A server may never confirm a subscription, so this attempt is aborted when the next one waits.
      if (this.isStale || this.visit.ended.aborted) return next.abort();
    await listening;
    const former = this.current;
    if (isOver) this.become(undefined, new Set());
    else this.become(next, uris);
    former?.abort();
  }

  private become(current: AbortController | undefined, begun: ReadonlySet<string>): void {
    this.current = current;
    this.begun = begun;
  }

  /** Whether the client no longer wants a resource that the current subscription still includes. */
  private isUnsubscribed(uri: Json | undefined): boolean {
    return typeof uri === 'string' && this.begun.has(uri) && !this.wanted.has(uri);
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof AppError
    ? error.code === 'forbidden'
    : error instanceof UpstreamFault && error.isAnswer;
}
