import type { SessionTrail, TrailEvent } from './ports/session-recorder';

/**
 * The events of one direction of a session that have to be durable before what they tell of goes on. The trail makes events durable
 * in the order of `append`, so the last promise stands for all before it.
 */
export class PendingEvents {
  private events: TrailEvent[] = [];
  private last: Promise<void> | undefined;

  constructor(private readonly trail: Pick<SessionTrail, 'append' | 'appendAll'>) {}

  /** To be recorded together with the next events. */
  add(event: TrailEvent): void {
    this.events.push(event);
  }

  /** Records an event now, behind those that were added. */
  append(...event: Parameters<SessionTrail['append']>): void {
    this.flush();
    this.keep(this.trail.append(...event));
  }

  /** Records events now, behind those that were added. */
  appendAll(events: readonly TrailEvent[]): void {
    this.flush();
    this.keep(this.trail.appendAll(events));
  }

  /** What to wait for before anything goes on that was recorded until now; undefined if there is nothing. Asked for once. */
  take(): Promise<void> | undefined {
    this.flush();
    const { last } = this;
    this.last = undefined;
    return last;
  }

  /** Resolves when everything until now is durable. Whoever asks `take` afterwards waits for the same. */
  async durable(): Promise<void> {
    this.flush();
    await this.last;
  }

  /** Nobody waits any more. That it could not be recorded is told by the end of the session. */
  abandon(): void {
    this.last?.catch(() => undefined);
    this.last = undefined;
  }

  private flush(): void {
    if (this.events.length === 0) return;
    const { events } = this;
    this.events = [];
    this.keep(this.trail.appendAll(events));
  }

  private keep(recorded: Promise<void>): void {
    this.abandon();
    this.last = recorded;
  }
}
