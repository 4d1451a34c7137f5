import { AppError } from '../../../kernel/app-error';
import { settlesWithin } from '../../../kernel/async/timeout';
import type { JsonObject } from '../../../kernel/json/json';
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
  /** Resources of the newest subscription that has begun. */
  private begun: ReadonlySet<string> = new Set();
  private readonly place = new StreamPlace();
  private current: AbortController | undefined;
  private running: Promise<void> | undefined;
  /** Whether the client changed its subscriptions after the current attempt began. */
  private isStale = false;
  /** Time of the client's last change (`performance.now()`). */
  private changedAt = 0;

  constructor(
    private readonly visit: Pick<ServedVisit, 'listen' | 'mayHear' | 'ended'>,
    private readonly handling: ChangeHandling,
  ) {}

  /** Number of resources that the client wants updates of. */
  get size(): number {
    return this.wanted.size;
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
    const uris = new Set(this.wanted);
    try {
      await this.replace(uris);
    } catch (error) {
      // Any error other than a forbidden or refused resource keeps the wanted resources for the next attempt.
      if (isForbidden(error)) await this.dropForbidden(uris);
      else if (error instanceof UpstreamFault && error.reason === 'refused') await this.addEach(uris);
      else throw error;
    }
  }

  /**
   * Removes each resource that a rule forbids. Checks the resources of the current subscription last, because
   * only a rule that is newer than this subscription can forbid them.
   */
  private async dropForbidden(uris: ReadonlySet<string>): Promise<void> {
    await this.dropOf([...uris].filter((uri) => !this.begun.has(uri)));
    try {
      await this.replace(new Set(this.wanted));
    } catch (error) {
      if (!isForbidden(error)) throw error;
      await this.dropOf(this.begun);
      await this.replace(new Set(this.wanted));
    }
  }

  private async dropOf(uris: Iterable<string>): Promise<void> {
    for (const uri of uris)
      if (this.wanted.has(uri) && !(await this.visit.mayHear(uri))) this.wanted.delete(uri);
  }

  /**
   * Adds the resources one after the other, because the server refused them all together. Removes each
   * resource that the server refuses.
   */
  private async addEach(uris: ReadonlySet<string>): Promise<void> {
    for (const uri of uris) {
      if (this.isStale) return;
      if (this.begun.has(uri) || !this.wanted.has(uri)) continue;
      await this.replace(new Set([...this.begun, uri])).catch((error: unknown) => {
        this.wanted.delete(uri);
        this.handling.failed(error);
      });
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
        notify: (method, params) => this.handling.notify(method, params),
        ended: () => {
          isOver = true;
          if (this.current === next) this.current = undefined;
        },
      },
    );
    while (!(await settlesWithin(listening, BEGIN_MS)))
      // A server may never confirm a subscription, so this attempt is aborted when the next one waits.
      if (this.isStale || this.visit.ended.aborted) return next.abort();
    await listening;
    const former = this.current;
    this.begun = uris;
    this.current = isOver ? undefined : next;
    former?.abort();
  }
}

function isForbidden(error: unknown): boolean {
  return error instanceof AppError && error.code === 'forbidden';
}
