import type {
  EventContent,
  InputKind,
  SessionTrail,
  TrailEvent,
  TrailEventType,
} from './ports/session-recorder';

/**
 * The events of one direction of a session that must be durable before the data are forwarded. The trail
 * makes events durable in the order of `append`, so the last promise covers all before it.
 */
export class PendingEvents {
  private events: TrailEvent[] = [];
  private last: Promise<void> | undefined;

  constructor(private readonly trail: Pick<SessionTrail, 'append' | 'appendAll'>) {}

  /** Adds an event, which is recorded together with the next ones. */
  add(event: TrailEvent): void {
    this.events.push(event);
  }

  /** Records an event now, after those that were added. */
  append(type: TrailEventType, content: EventContent, what?: InputKind): void {
    this.flush();
    this.keepPromise(this.trail.append(type, content, what));
  }

  /** Records events now, after those that were added. */
  appendAll(events: readonly TrailEvent[]): void {
    this.flush();
    this.keepPromise(this.trail.appendAll(events));
  }

  /**
   * The promise to await before forwarding anything recorded so far; undefined if nothing is pending. Later
   * calls return only newer events.
   */
  takePendingPromise(): Promise<void> | undefined {
    this.flush();
    const { last } = this;
    this.last = undefined;
    return last;
  }

  /** Resolves when everything so far is durable. A later `takePendingPromise` still waits for it. */
  async durable(): Promise<void> {
    this.flush();
    await this.last;
  }

  /** Ignores errors of pending events, which the end of the session reports. */
  abandon(): void {
    this.last?.catch(() => undefined);
    this.last = undefined;
  }

  private flush(): void {
    if (this.events.length === 0) return;
    const { events } = this;
    this.events = [];
    this.keepPromise(this.trail.appendAll(events));
  }

  private keepPromise(recorded: Promise<void>): void {
    // Events of one turn mostly share a promise.
    if (recorded === this.last) return;
    this.abandon();
    this.last = recorded;
  }
}
