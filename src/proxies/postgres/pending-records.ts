import type { ClientSession } from '../../gate/client-session';
import type { TrailEvent } from '../../gate/ports/session-recorder';

/** What has to be durable before what was read goes on: the last of what was asked for, because all before it is durable then. */
export class PendingRecords {
  private events: TrailEvent[] = [];
  private last: Promise<void> | undefined;

  constructor(private readonly session: ClientSession) {}

  /** To be recorded with the next that is. */
  add(event: TrailEvent): void {
    this.events.push(event);
  }

  /** Something was recorded; what was added before has to be flushed before that. */
  keep(recorded: Promise<void> | undefined): void {
    if (recorded === undefined) return;
    this.abandon();
    this.last = recorded;
  }

  flush(): void {
    if (this.events.length === 0) return;
    const { events } = this;
    this.events = [];
    this.keep(this.session.record(events));
  }

  /** What to wait for; asked for once. */
  take(): Promise<void> | undefined {
    this.flush();
    const { last } = this;
    this.last = undefined;
    return last;
  }

  /** Nobody asks any more; that it could not be recorded is told by the session's end. */
  abandon(): void {
    this.last?.catch(() => undefined);
    this.last = undefined;
  }
}
