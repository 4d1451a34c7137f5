import type { SessionKey } from './session.entity';
import type { RecordingSeal } from '../format/chain';
import { chunksOf } from '../format/chunks';
import type { DraftPiece } from '../format/draft';
import { Drafts } from '../format/drafts';
import { textsOf } from '../format/input-texts';
import type { SessionEnd, SessionProgress, Shipment, StoredState } from './shipment';

/** Source of the values that a running session writes to its row. */
export interface ProgressSource {
  now(): SessionProgress;
  /** Number that changes with each change of the progress. */
  readonly version: number;
}

interface Waiter {
  /** Number of the event that the caller waits for; infinity: the caller waits for the session's end. */
  readonly number: number;
  readonly resolve: () => void;
  /** Called when an attempt to store failed. The shipper retries nevertheless. */
  readonly reject: (error: unknown) => void;
}

export interface PendingChunksListener {
  /**
   * Called when bytes of contents were stored. `oldestMark` is the mark that `add` received for the oldest
   * chunk that is not stored yet (see `Drafts`); undefined if no event is pending.
   */
  readonly stored?: (bytes: number, oldestMark: number | undefined) => void;
  /** Called when the end of the session is stored. */
  readonly ended?: () => void;
  /** Called when events were stored after another gateway had ended the session. */
  readonly overtaken?: () => void;
}

const THE_END = Number.POSITIVE_INFINITY;

/**
 * The events of a session that are not stored yet. A running session or a journal replay adds them; the
 * shipper stores them.
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

  /** Bytes of pending contents. */
  get bytes(): number {
    return this.drafts.bytes;
  }

  /** Time since which the oldest pending event has waited (`performance.now()`), or earlier. */
  get oldestSince(): number | undefined {
    return this.drafts.oldestSince;
  }

  /**
   * Adds an event. Its number must be larger than the number of the previous event. The listener's `stored`
   * later receives the mark of the oldest chunk that is not stored yet (see `Drafts`).
   */
  add(event: DraftPiece, mark = 0): void {
    this.drafts.add(event, mark);
  }

  /** Adds a piece of a large event; see `Drafts`. The event is stored only after its last piece was added. */
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

  /** Resolves when the event is stored; rejects when an attempt to store it has failed. */
  whenStored(number: number): Promise<void> {
    if (number <= (this.state?.journaled ?? 0)) return Promise.resolve();
    return new Promise((resolve, reject) => this.waiters.push({ number, resolve, reject }));
  }

  /** Resolves when the end of the session is stored; rejects when an attempt to store it has failed. */
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

  /** Whether a caller waits until events are stored, or the end of the session is not stored yet. */
  get isAwaited(): boolean {
    return this.waiters.length > 0 || (this.ending !== undefined && !this.isEnded);
  }

  /** Whether the session's row must be read before anything can be stored. */
  get needsState(): boolean {
    return this.state === undefined;
  }

  /** Whether the next event is far larger than `maxBytes`. */
  isNextLarge(maxBytes: number): boolean {
    return this.drafts.isLarge(maxBytes);
  }

  /** Continues from the state in the session's row. Drops events that are already stored. */
  resume(state: StoredState): void {
    this.state = state;
    this.dropThrough(state.journaled);
  }

  /**
   * Returns the next shipment: whole events of about `maxBytes`. A shipment with the last pending event also
   * has the end of the session.
   */
  async next(maxBytes: number, seal: RecordingSeal): Promise<Shipment> {
    const before = this.state;
    if (before === undefined)
      throw new Error('the state in the row is unknown: resume() must be called first');
    const { progressSource } = this;
    const drafts = this.drafts.takeDrafts(maxBytes);
    // Reads the end now, because events that are added while the chunks are made must be stored before it.
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

  /** Forgets the state of the session's row, because a shipment did not fit it or its outcome is unknown. */
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
