import type { SessionKey } from '../session.entity';
import type { RecordingSeal } from './chain';
import { chunksOf, textsOf } from './chunks';
import type { SessionEvent } from './event-codec';
import type { Ending, Progress, Shipment, StoredState } from './shipment';

/** An event of a session, by its number from 1. */
export interface NumberedEvent extends SessionEvent {
  readonly number: number;
  /** Called once it is stored. */
  stored?(): void;
}

/** What the row is to learn of the session, at the moment of asking. */
export interface Learning {
  now(): Progress;
  /** Another one when there is something new. */
  readonly version: number;
}

interface Waiter {
  /** The event that has to be stored; the end of the session is beyond all. */
  readonly number: number;
  readonly resolve: () => void;
  /** Called when storing was tried and failed; it is tried again all the same. */
  readonly reject: (error: unknown) => void;
}

export interface OutboxListener {
  /** The end of the session is stored. */
  readonly ended?: () => void;
  /** Something was stored although somebody else had ended the session. */
  readonly overtaken?: () => void;
}

const THE_END = Number.POSITIVE_INFINITY;

/** What a session has yet to have stored. Filled by its trail or from a journal, emptied by the shipper. */
export class Outbox {
  private events: NumberedEvent[] = [];
  private waiters: Waiter[] = [];
  private ending: Ending | undefined;
  private isEnded = false;
  private learned = 0;
  /** Bytes of contents that wait. */
  bytes = 0;
  learning: Learning | undefined;

  constructor(
    readonly session: SessionKey,
    /** Where the row stands; undefined when it has to be looked at first. */
    private state: StoredState | undefined,
    private readonly hears: OutboxListener = {},
  ) {}

  add(event: NumberedEvent): void {
    this.events.push(event);
    this.bytes += event.content.length;
  }

  end(ending: Ending): void {
    this.ending ??= ending;
  }

  /** Resolves when the event is stored; rejects when storing has failed once. */
  whenStored(number: number): Promise<void> {
    if (number <= (this.state?.journaled ?? 0)) return Promise.resolve();
    return new Promise((resolve, reject) => this.waiters.push({ number, resolve, reject }));
  }

  /** Resolves when the session is over in the database too; rejects when storing has failed once. */
  whenEnded(): Promise<void> {
    if (this.isEnded) return Promise.resolve();
    return new Promise((resolve, reject) => this.waiters.push({ number: THE_END, resolve, reject }));
  }

  get isEmpty(): boolean {
    return (
      this.events.length === 0 &&
      (this.ending === undefined || this.isEnded) &&
      (this.learning?.version ?? 0) === this.learned
    );
  }

  /** Whether the row has to be looked at before anything can be stored. */
  get needsState(): boolean {
    return this.state === undefined;
  }

  /** Takes up where the row stands; what it has already is not stored again. */
  resume(state: StoredState): void {
    this.state = state;
    this.dropThrough(state.journaled);
  }

  /** The next to be stored: whole events up to about so many bytes, and the end once all of them are in it. */
  async next(maxBytes: number, seal: RecordingSeal): Promise<Shipment> {
    const before = this.state;
    if (before === undefined) throw new Error('where the recording stands is not known');
    const { learning, ending } = this;
    const events = this.first(maxBytes);
    const isLast = events.length === this.events.length;
    const chunks = await chunksOf(events, before);
    const after = {
      ...before,
      chunkCount: before.chunkCount + chunks.length,
      chainHash: chunks.at(-1)?.hash ?? before.chainHash,
      journaled: events.at(-1)?.number ?? before.journaled,
      eventsStored: before.eventsStored + events.length,
      eventSize: before.eventSize + events.reduce((sum, { content }) => sum + content.length, 0),
    };
    return {
      session: this.session,
      before,
      after,
      chunks,
      texts: textsOf(events, before.chunkCount + 1),
      progress: learning?.now(),
      version: learning?.version ?? 0,
      ending: isLast ? ending : undefined,
      seal: seal.of(after),
    };
  }

  settle({ after, version, ending }: Shipment, isOver: boolean): void {
    this.learned = version;
    const endsNow = ending !== undefined && !this.isEnded;
    if (endsNow) this.isEnded = true;
    this.resume(after);
    if (endsNow) this.hears.ended?.();
    else if (isOver) this.hears.overtaken?.();
  }

  /** Where the row stands is not known any more: it did not fit, or nobody can say whether it was stored. */
  doubt(): void {
    this.state = undefined;
  }

  fail(error: unknown): void {
    const waiters = this.waiters;
    this.waiters = [];
    for (const { reject } of waiters) reject(error);
  }

  private first(maxBytes: number): NumberedEvent[] {
    let bytes = 0;
    const end = this.events.findIndex(({ content }, index) => {
      bytes += content.length;
      return index > 0 && bytes > maxBytes;
    });
    return end === -1 ? [...this.events] : this.events.slice(0, end);
  }

  private dropThrough(number: number): void {
    const left = this.events.findIndex((event) => event.number > number);
    const stored = this.events.splice(0, left === -1 ? this.events.length : left);
    for (const event of stored) {
      this.bytes -= event.content.length;
      event.stored?.();
    }
    const reached = this.isEnded ? THE_END : number;
    const done = this.waiters.filter((waiter) => waiter.number <= reached);
    if (done.length > 0) this.waiters = this.waiters.filter((waiter) => waiter.number > reached);
    for (const { resolve } of done) resolve();
  }
}
