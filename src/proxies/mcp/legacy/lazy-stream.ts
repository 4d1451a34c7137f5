import type { HttpAnswer } from '../http/answer';
import type { SignedArrival } from '../http/arrival';
import type { EventLog } from './event-log';
import type { LegacyClientSession } from './legacy-session';

/** The stream of an answer. Opened only if a message must be sent before the answer is ready. */
export class LazyStream {
  private opening: Promise<EventLog> | undefined;
  private opened_: EventLog | undefined;

  constructor(
    private readonly session: LegacyClientSession,
    private readonly http: HttpAnswer,
    /** The HTTP request that contained the message to answer. */
    readonly arrival: SignedArrival,
  ) {}

  get isOpen(): boolean {
    return this.opened_ !== undefined;
  }

  get log(): EventLog {
    if (this.opened_ === undefined) throw new Error('the stream is not open');
    return this.opened_;
  }

  opened(): Promise<EventLog> {
    this.opening ??= this.open();
    return this.opening;
  }

  end(): void {
    this.session.closeStream(this.log);
  }

  /** Drops the stream after a fault, because the fault is sent as the answer instead. */
  drop(): void {
    if (this.isOpen) this.session.dropStream(this.log);
  }

  private async open(): Promise<EventLog> {
    const log = this.session.openStream();
    this.opened_ = log;
    log.attach(this.http);
    if (this.session.revision === '2025-11-25') await log.prime();
    return log;
  }
}
