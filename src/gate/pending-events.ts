import { bytesOf } from '../kernel/text/buffers';
import type {
  EventContent,
  InputKind,
  SessionTrail,
  TrailEvent,
  TrailEventType,
} from './ports/session-recorder';

/**
 * Events of one direction of a session that must be durable before data are forwarded. Events become durable
 * in the order of `append`, so the promise of the last event covers all earlier events.
 */
export class PendingEvents {
  private events: TrailEvent[] = [];
  private last: Promise<void> | undefined;
  private untaken = 0;

  constructor(private readonly trail: Pick<SessionTrail, 'append' | 'appendAll'>) {}

  /** Queues an event. It is recorded together with the next event, or when its promise is requested. */
  add(event: TrailEvent): void {
    this.untaken += sizeOf(event.content);
    this.events.push(event);
  }

  /** Records an event now, after the queued events. */
  append(type: TrailEventType, content: EventContent, what?: InputKind): void {
    this.flush();
    this.untaken += sizeOf(content);
    this.keepPromise(this.trail.append(type, content, what));
  }

  /** Records events now, after the queued events. */
  appendAll(events: readonly TrailEvent[]): void {
    this.flush();
    for (const { content } of events) this.untaken += sizeOf(content);
    this.keepPromise(this.trail.appendAll(events));
  }

  /** Returns the size of the events since the last call. Called together with `takePendingPromise`. */
  takeSize(): number {
    const { untaken } = this;
    this.untaken = 0;
    return untaken;
  }

  /**
   * Returns the promise to await before anything recorded so far is forwarded; undefined if nothing is
   * pending. The next call returns a promise only for newer events.
   */
  takePendingPromise(): Promise<void> | undefined {
    this.flush();
    const { last } = this;
    this.last = undefined;
    return last;
  }

  /**
   * Resolves when all events so far are durable. Does not take their promise: `takePendingPromise` still
   * returns it.
   */
  async durable(): Promise<void> {
    this.flush();
    await this.last;
  }

  /** Ignores errors of pending events, because the end of the session reports them. */
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
    // Events that are recorded in one turn of the event loop mostly share a promise.
    if (recorded === this.last) return;
    this.abandon();
    this.last = recorded;
  }
}

/** Returns bytes, or UTF-16 code units for a string, because counting the bytes of a string is slow. */
function sizeOf(content: EventContent): number {
  return Array.isArray(content) ? bytesOf(content as readonly Buffer[]) : content.length;
}
