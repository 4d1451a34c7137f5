import type { SessionKey } from './session.entity';
import type { RecordingSeal } from '../format/chain';
import { chunksOf } from '../format/chunks';
import type { DraftPiece } from '../format/draft';
import { Drafts } from '../format/drafts';
import { textsOf } from '../format/input-texts';
import type { SessionEnd, SessionProgress, Shipment, StoredState } from './shipment';

/** The progress of a running session, for its row. */
export interface ProgressSource {
  now(): SessionProgress;
  /** Changes with each change of the progress. */
  readonly version: number;
}

interface Waiter {
  /** The number of the event that must be stored; infinity: the end of the session. */
  readonly number: number;
  readonly resolve: () => void;
  /** Called when an attempt to store failed. The next attempt follows all the same. */
  readonly reject: (error: unknown) => void;
}

export interface PendingChunksListener {
  /**
   * Bytes of contents were stored. The mark is that of the oldest pending
   * event; undefined if none is pending.
   */
  readonly stored?: (bytes: number, oldestMark: number | undefined) => void;
  /** The end of the session is stored. */
  readonly ended?: () => void;
  /** Events were stored after another gateway had ended the session. */
  readonly overtaken?: () => void;
}

const THE_END = Number.POSITIVE_INFINITY;

/**
 * The events of a session that are not stored yet. A trail or the replay of a
 * journal fills it, the shipper empties it.
 */
export class PendingChunks {
  private readonly drafts = new Drafts();
  private waiters: Waiter[] = [];
  private ending: SessionEnd | undefined;
  private isEnded = false;
  private learned = 0;
  progressSource: ProgressSource | undefined;

  constructor(
    readonly session: SessionKey,
    /** The state in the session's row; undefined: the shipper must read it first. */
    private state: StoredState | undefined,
    private readonly listener: PendingChunksListener = {},
  ) {}

  /** Pending bytes of contents. */
  get bytes(): number {
    return this.drafts.bytes;
  }

  /**
   * Adds an event. Its number must be larger than the one before. `stored` is later called with the mark of
   * the oldest pending event.
   */
  add(event: DraftPiece, mark = 0): void {
    this.drafts.add(event, mark);
  }

  /**
   * Adds a piece of a large event; see `Drafts`. Nothing of the event is
   * stored before its last piece was added.
   */
  addPiece(piece: DraftPiece, mark = 0): void {
    this.drafts.addPiece(piece, mark);
  }

  /** Drops the pieces of an unfinished large event. */
  dropPieces(): void {
    this.drafts.dropPieces();
  }

  end(ending: SessionEnd): void {
    this.ending ??= ending;
  }

  /** Resolves when the event is stored; rejects when an attempt has failed. */
  whenStored(number: number): Promise<void> {
    if (number <= (this.state?.journaled ?? 0)) return Promise.resolve();
    return new Promise((resolve, reject) => this.waiters.push({ number, resolve, reject }));
  }

  /** Resolves when the end of the session is stored; rejects when an attempt has failed. */
  whenEnded(): Promise<void> {
    if (this.isEnded) return Promise.resolve();
    return new Promise((resolve, reject) => this.waiters.push({ number: THE_END, resolve, reject }));
  }

  get isEmpty(): boolean {
    return (
      this.drafts.count === 0 &&
      (this.ending === undefined || this.isEnded) &&
      (this.progressSource?.version ?? 0) === this.learned
    );
  }

  /** Whether a caller waits for the store, or the session has ended. */
  get isAwaited(): boolean {
    return this.waiters.length > 0 || (this.ending !== undefined && !this.isEnded);
  }

  /** Whether the row must be read before anything can be stored. */
  get needsState(): boolean {
    return this.state === undefined;
  }

  /** Whether the next event is far larger than `maxBytes`. */
  isNextLarge(maxBytes: number): boolean {
    return this.drafts.isLarge(maxBytes);
  }

  /** Continues from the state in the row. Events that the row has are not stored again. */
  resume(state: StoredState): void {
    this.state = state;
    this.dropThrough(state.journaled);
  }

  /** The next shipment: whole events of about `maxBytes`, and the end with the last of them. */
  async next(maxBytes: number, seal: RecordingSeal): Promise<Shipment> {
    const before = this.state;
    if (before === undefined)
      throw new Error('the state in the row is unknown: resume() must be called first');
    const { progressSource } = this;
    const drafts = this.drafts.takeDrafts(maxBytes);
    // Events that come while chunks are made are not in this shipment.
    const ending = drafts.length === this.drafts.count ? this.ending : undefined;
    const [progress, version] = [progressSource?.now(), progressSource?.version ?? 0];
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
    if (endsNow) this.listener.ended?.();
    else if (isOver) this.listener.overtaken?.();
  }

  /** Drops the known state of the row: the shipment did not fit, or its outcome is unknown. */
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
    this.listener.stored?.(before - this.bytes, this.drafts.oldestMark);
    const reached = this.isEnded ? THE_END : number;
    const done = this.waiters.filter((waiter) => waiter.number <= reached);
    if (done.length > 0) this.waiters = this.waiters.filter((waiter) => waiter.number > reached);
    for (const { resolve } of done) resolve();
  }
}
