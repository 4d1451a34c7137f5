import type { JsonObject } from '../../../kernel/json/json';
import type { ServedVisit } from '../visits/served-visit';
import { StreamPlace } from '../visits/stream-place';

/** Receives the changes for a session, and gives its log level. */
interface ChangeHandling {
  logLevel(): string;
  notify(method: string, params: JsonObject): Promise<void>;
}

/**
 * The subscription of a legacy session to the changes of its server. Each request for a resource replaces it
 * by one for all resources. The former one stays until the next has begun, so that a refusal ends nothing and
 * no change is lost; a modern server may send a change to both meanwhile. The next request waits for that, so
 * that a refusal concerns one resource only.
 */
export class ChangeSubscription {
  /** Resources that the client requested, also those whose subscription has not begun. */
  private readonly requested = new Set<string>();
  /** Resources of the newest subscription that has begun. */
  private begun: ReadonlySet<string> = new Set();
  private readonly place = new StreamPlace();
  private current: AbortController | undefined;
  private waiting = 0;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly visit: Pick<ServedVisit, 'listen' | 'ended'>,
    private readonly handling: ChangeHandling,
  ) {}

  /** Number of requested resources. */
  get size(): number {
    return this.requested.size;
  }

  /** Whether a subscription is open or being opened. */
  get isOpen(): boolean {
    return this.current !== undefined || this.waiting > 0;
  }

  /** Settles when the requested subscription has begun or is refused; undefined if none is being opened. */
  get opening(): Promise<unknown> | undefined {
    return this.waiting > 0 ? this.last : undefined;
  }

  /** Subscribes to changes, and to updates of the resources so far. @throws as `ServedVisit.listen` */
  begin(): Promise<void> {
    return this.next(() => this.replace(this.begun));
  }

  /** Subscribes to updates of one more resource. @throws as `ServedVisit.listen` */
  subscribe(uri: string): Promise<void> {
    this.requested.add(uri);
    return this.next(async () => {
      try {
        await this.replace(new Set([...this.begun, uri]));
      } catch (error) {
        if (!this.begun.has(uri)) this.requested.delete(uri);
        throw error;
      }
    });
  }

  /** Unsubscribes from updates of one resource. @throws as `ServedVisit.listen` */
  unsubscribe(uri: string): Promise<void> {
    this.requested.delete(uri);
    return this.next(() => {
      // Also if the next subscription is refused, because the client does not want this resource.
      this.begun = new Set([...this.begun].filter((other) => other !== uri));
      return this.replace(this.begun);
    });
  }

  /** Ends the subscription that has begun. The end of the visit ends one that has not. */
  end(): void {
    this.current?.abort();
  }

  private next(work: () => Promise<void>): Promise<void> {
    this.waiting += 1;
    const done = this.last.then(work).finally(() => (this.waiting -= 1));
    this.last = done.catch(() => undefined);
    return done;
  }

  private async replace(uris: ReadonlySet<string>): Promise<void> {
    if (this.visit.ended.aborted) return;
    const former = this.current;
    const next = new AbortController();
    let isOver = false;
    await this.visit.listen(
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
    this.begun = uris;
    this.current = isOver ? undefined : next;
    former?.abort();
  }
}
