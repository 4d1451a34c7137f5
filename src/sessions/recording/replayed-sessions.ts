import type { SessionKey } from './session.entity';
import type { DraftPiece } from '../format/draft';
import { LOWER_CASE, letterOf } from '../format/event-codec';
import type { JournalRecord } from '../journal/journal-records';
import { type ProgressSource, PendingChunks } from './pending-chunks';
import type { SessionEnd, SessionProgress } from './shipment';
import type { Shipper } from './shipper';

interface Replayed {
  readonly pending: PendingChunks;
  last: number;
  /** Number of the large event whose last piece was not read yet. */
  begun?: number;
  isEnded: boolean;
}

/** The sessions of a journal that is being replayed. */
export class ReplayedSessions {
  private readonly sessions = new Map<string, Replayed>();
  private readonly strange = new Set<string>();
  events = 0;

  constructor(private readonly shipper: Shipper) {}

  knows(sessionId: string): boolean {
    return this.sessions.has(sessionId) || this.strange.has(sessionId);
  }

  open(sessionId: string, session: SessionKey | null): void {
    if (session === null) this.strange.add(sessionId);
    else
      this.sessions.set(sessionId, {
        pending: new PendingChunks(session, undefined),
        last: 0,
        isEnded: false,
      });
  }

  /** Number of sessions that the database does not have. */
  get strangers(): number {
    return this.strange.size;
  }

  /** Bytes that wait to be stored. */
  get bytes(): number {
    return [...this.sessions.values()].reduce((sum, { pending }) => sum + pending.bytes, 0);
  }

  add(record: Exclude<JournalRecord, { kind: 'nothing' }>): void {
    const session = this.sessions.get(record.sessionId);
    if (session === undefined) return;
    switch (record.kind) {
      case 'event':
        if (!isWhole(session, record)) return;
        this.events += 1;
        session.last = record.number;
        if (record.part === undefined) session.pending.add(draftOf(record));
        break;
      case 'progress':
        session.pending.progressSource = progressSourceOf(record.content);
        break;
      case 'end':
        session.isEnded = true;
        session.pending.end(JSON.parse(record.content.toString()) as SessionEnd);
        break;
    }
  }

  /** Stores all added events. @throws if an attempt fails. */
  async store(): Promise<void> {
    const open = [...this.sessions.values()].filter(({ pending }) => !pending.isEmpty);
    for (const { pending } of open) this.shipper.shipNow(pending);
    const outcomes = await Promise.allSettled(
      open.map(({ pending, last, isEnded }) => (isEnded ? pending.whenEnded() : pending.whenStored(last))),
    );
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failure === undefined) return;
    // Stops further attempts, because the journal is kept and replayed at the next poll.
    for (const { pending } of open) this.shipper.giveUp(pending);
    throw failure.reason;
  }
}

/**
 * Adds a piece of a large event. Returns true if the event is complete now. Skips an event without its last
 * piece, because it was never acknowledged. Skips an event without its first piece: the journal file with
 * that piece is gone, so the whole event was already stored.
 */
function isWhole(session: Replayed, record: JournalRecord & { kind: 'event' }): boolean {
  const { pending } = session;
  const { part, number } = record;
  if (part === undefined || part === 'begins') {
    pending.dropPieces();
    if (part === undefined) delete session.begun;
    else session.begun = number;
  }
  if (part === undefined) return true;
  if (session.begun !== number) return false;
  const draft = draftOf(record);
  const isLast = part === 'ends';
  pending.addPiece({ ...draft, letter: isLast ? draft.letter : draft.letter & ~LOWER_CASE });
  if (isLast) delete session.begun;
  return isLast;
}

function draftOf(record: JournalRecord & { kind: 'event' }): DraftPiece {
  const { number, time, content } = record;
  return { number, time, letter: letterOf(record), content, length: content.length };
}

function progressSourceOf(json: Buffer): ProgressSource {
  const progress = JSON.parse(json.toString()) as SessionProgress;
  return { now: () => progress, version: 1 };
}
