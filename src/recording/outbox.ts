import type { SessionKey } from './session.entity';
import type { RecordingSeal } from '../recording-format/chain';
import { chunksOf } from '../recording-format/chunks';
import type { DraftPiece } from '../recording-format/draft';
import { Drafts } from '../recording-format/drafts';
import { textsOf } from '../recording-format/input-texts';
import type { Ending, Progress, Shipment, StoredState } from './shipment';

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
  /** So many bytes of contents are stored; the mark is of the oldest that waits, undefined when nothing does. */
  readonly stored?: (bytes: number, oldestMark: number | undefined) => void;
  /** The end of the session is stored. */
  readonly ended?: () => void;
  /** Something was stored although somebody else had ended the session. */
  readonly overtaken?: () => void;
}

const THE_END = Number.POSITIVE_INFINITY;

/** What a session has yet to have stored. Filled by its trail or from a journal, emptied by the shipper. */
export class Outbox {
  private readonly drafts = new Drafts();
  private waiters: Waiter[] = [];
  private ending: Ending | undefined;
  private isEnded = false;
  private learned = 0;
  learning: Learning | undefined;

  constructor(
    readonly session: SessionKey,
    /** Where the row stands; undefined when it has to be looked at first. */
    private state: StoredState | undefined,
    private readonly hears: OutboxListener = {},
  ) {}

  /** Bytes of contents that wait. */
  get bytes(): number {
    return this.drafts.bytes;
  }

  /** Adds an event by its number, each larger than the one before. `stored` tells the mark of the oldest again. */
  add(event: DraftPiece, mark = 0): void {
    this.drafts.add(event, mark);
  }

  /** Adds a piece of a large event; see `Drafts`. Nothing of it is stored before the last one is there. */
  addPiece(piece: DraftPiece, mark = 0): void {
    this.drafts.addPiece(piece, mark);
  }

  /** What was begun of a large event will not go on. */
  dropPieces(): void {
    this.drafts.dropPieces();
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
      this.drafts.count === 0 &&
      (this.ending === undefined || this.isEnded) &&
      (this.learning?.version ?? 0) === this.learned
    );
  }

  /** Somebody waits until something is stored, or it is the end. */
  get isAwaited(): boolean {
    return this.waiters.length > 0 || (this.ending !== undefined && !this.isEnded);
  }

  /** Whether the row has to be looked at before anything can be stored. */
  get needsState(): boolean {
    return this.state === undefined;
  }

  /** Whether `next` with so many bytes brings an event that is far larger. */
  isNextLarge(maxBytes: number): boolean {
    return this.drafts.isLarge(maxBytes);
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
    const { learning } = this;
    const drafts = this.drafts.take(maxBytes);
    // What comes while chunks are made is not in them.
    const ending = drafts.length === this.drafts.count ? this.ending : undefined;
    const [progress, version] = [learning?.now(), learning?.version ?? 0];
    const chunks = await chunksOf(drafts, before);
    const after = {
      ...before,
      chunkCount: before.chunkCount + chunks.length,
      chainHash: chunks.at(-1)?.hash ?? before.chainHash,
      journaled: drafts.at(-1)?.last ?? before.journaled,
      eventsStored: drafts.reduce((sum, { eventCount }) => sum + eventCount, before.eventsStored),
      eventSize: drafts.reduce((sum, { rawSize }) => sum + rawSize, before.eventSize),
    };
    return {
      session: this.session,
      before,
      after,
      chunks,
      texts: await textsOf(drafts),
      progress,
      version,
      ending,
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

  private dropThrough(number: number): void {
    const before = this.bytes;
    this.drafts.dropThrough(number);
    this.hears.stored?.(before - this.bytes, this.drafts.oldestMark);
    const reached = this.isEnded ? THE_END : number;
    const done = this.waiters.filter((waiter) => waiter.number <= reached);
    if (done.length > 0) this.waiters = this.waiters.filter((waiter) => waiter.number > reached);
    for (const { resolve } of done) resolve();
  }
}
