import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { SealCheck } from '../../platform/keys/keyed-seal';
import type { Principal } from '../../kernel/principal';
import { type LedgerEntry, isState, entryContent } from '../ledger/ledger-entry';
import { LedgerVerificationService, type SessionFindings } from '../ledger/ledger-verification.service';
import { LedgerWriter } from '../ledger/ledger-writer';
import { type ChainEnd, RecordingSeal } from '../format/chain';
import { RecordingReader } from '../recording/recording-reader';
import { type RecordingFacts, type Verification, verifyRecording } from '../format/verification';
import type { SessionEntryView, SessionVerificationView } from './session-verification.dto';
import { type SessionKey, SessionRow } from '../recording/session.entity';
import { VisibleSessions } from '../list/visible-sessions';
import { mustExist } from '../format/no-session';
import { RecordingRemoved } from '../recording/recording-removed';

/** Number before all chunks. Chunks are numbered from 1, but a forged chunk may have any number. */
const BEFORE_ALL = -(2 ** 31);
/** Maximum number of times that a session is verified, because its recording may change each time. */
const MAX_ATTEMPTS = 5;
/** Length of an old seal, which does not name its key. */
const SEAL_WITHOUT_KEY_BYTES = 32;

type Recorded = Pick<
  Verification,
  'chunks' | 'events' | 'size' | 'chainHash' | 'seal' | 'unknownKey' | 'faults'
>;

/** Compares sessions and their recordings with their sealed values. */
@Injectable()
export class SessionVerificationService {
  constructor(
    private readonly sessions: VisibleSessions,
    private readonly recordings: RecordingReader,
    private readonly seal: RecordingSeal,
    private readonly writer: LedgerWriter,
    private readonly ledger: LedgerVerificationService,
  ) {}

  /**
   * Verifies a session and its recording. Verifies them again if they seem to be broken, because they may
   * change while they are read: a late journal adds to the recording, the archive moves it, and retention
   * removes it.
   * @throws AppError `not_found`, also if the session is removed meanwhile; `forbidden`
   */
  async verify(actor: Principal, id: string): Promise<SessionVerificationView> {
    let found = await this.sessions.findReadable(actor, id);
    for (let attempt = 1; ; attempt += 1) {
      if (found.status === 'done') await this.writer.catchUp(found);
      const { session, ledger } = await this.atOnce(found);
      const view = await this.verified(actor, session, ledger).catch(unlessRemoved);
      if (view?.faults.length === 0) return view;
      found = await this.sessions.findReadable(actor, id);
      // A recording that was removed meanwhile is removed in the row, too. So there is one more attempt.
      if (view === undefined || isRemoved(found) !== isRemoved(session)) continue;
      // The row does not show that its recording was moved.
      const isUnchanged = attempt > 1 && isDeepStrictEqual(factsOf(found), factsOf(session));
      if (isUnchanged || attempt >= MAX_ATTEMPTS) return view;
    }
  }

  /** Reads the row from the snapshot in which its ledger entries are read, because they must match. */
  private atOnce({
    orgId,
    id,
  }: SessionKey): Promise<{ readonly session: SessionRow; readonly ledger: SessionFindings }> {
    return this.ledger.sessionWith(orgId, id, async (ledger, db) => ({
      session: mustExist(await db.findOneBy(SessionRow, { orgId, id })),
      ledger,
    }));
  }

  private async verified(
    actor: Principal,
    session: SessionRow,
    ledger: SessionFindings,
  ): Promise<SessionVerificationView> {
    const recorded = isRemoved(session)
      ? this.removed(session, ledger)
      : await this.recorded(session, ledger);
    const faults = [...recorded.faults, ...ledger.faults.map((reason) => ({ seq: null, reason }))];
    const isVouched = isVouchedFor(ledger);
    return {
      status: statusOf(session, { ...recorded, faults }, ledger, isVouched),
      chunks: recorded.chunks,
      events: recorded.events,
      size: recorded.size,
      chain_hash: recorded.chainHash.toString('hex'),
      sealed: recorded.seal === 'fits' || (recorded.seal === 'unknown_key' && isVouched),
      entries: ledger.entries.filter(shownTo(actor)).map(entryView),
      unknown_keys: [...new Set([...ledger.unknownKeys, ...unknownIn(recorded, isVouched)])],
      faults,
    };
  }

  private async recorded(session: SessionRow, ledger: SessionFindings): Promise<Recorded> {
    const facts = factsOf(session);
    // While the session runs, chunks beyond the row's count are not read. After its end, all chunks are read,
    // and a chunk beyond the count is a fault.
    const upTo = facts.isOver ? {} : { upTo: facts.chunkCount };
    const chunks = this.recordings.chunks(session, { after: BEFORE_ALL, ...upTo, asFound: true });
    return verifyRecording(facts, chunks, (seal, end) => this.check(seal, end, ledger));
  }

  /**
   * Returns the findings about a removed recording. The row keeps the last hash of the chain, so that an
   * evidence file from before the removal can be compared with it.
   */
  private removed(session: SessionRow, ledger: SessionFindings): Recorded {
    const facts = factsOf(session);
    const check = facts.seal === null ? undefined : this.check(facts.seal, facts, ledger);
    return {
      chunks: 0,
      events: 0,
      size: 0,
      chainHash: facts.chainHash,
      seal: check?.state ?? 'absent',
      unknownKey: check?.state === 'unknown_key' ? check.keyId : null,
      faults: check?.state === 'broken' ? [{ seq: null, reason: 'the seal is invalid' }] : [],
    };
  }

  /**
   * Checks a seal. An old seal does not name its key, and the gateway may no longer have this key. In that
   * case, the ledger shows whether the seal was valid when the session was adopted.
   */
  private check(seal: Buffer, end: ChainEnd, ledger: SessionFindings): SealCheck {
    const check = this.seal.check(seal, end);
    const isOld = seal.length === SEAL_WITHOUT_KEY_BYTES && ledger.entries[0]?.kind === 'adopted';
    if (check.state === 'broken' && isOld && isVouchedFor(ledger)) return { state: 'unknown_key', keyId: '' };
    return check;
  }
}

/** Hides legal holds from regular users, because a hold may be about the person who ran the session. */
function shownTo({ role }: Principal): (entry: LedgerEntry) => boolean {
  return ({ kind }) => role !== 'regular' || kind !== 'hold';
}

function entryView({ seq, kind, recordedAt, keyId }: LedgerEntry): SessionEntryView {
  return { number: seq, kind, recorded_at: recordedAt, key_id: keyId };
}

/** Whether the ledger has no faults for the session, and its last entry found the seal valid. */
function isVouchedFor({ entries, faults, unknownKeys }: SessionFindings): boolean {
  const state = entries.findLast(isState);
  if (state === undefined || faults.length > 0 || unknownKeys.length > 0) return false;
  return entryContent(state).seal === 'fits';
}

function unknownIn({ unknownKey }: Recorded, isVouched: boolean): string[] {
  return unknownKey === null || isVouched ? [] : [unknownKey];
}

function isRemoved({ recordingPurgedAt }: SessionRow): boolean {
  return recordingPurgedAt !== null;
}

/** Returns undefined if the recording was removed while it was read. @throws any other error */
function unlessRemoved(error: unknown): undefined {
  if (!(error instanceof RecordingRemoved)) throw error;
}

function factsOf(session: SessionRow): RecordingFacts {
  const { chunkCount, chainHash, eventsStored, eventSize, seal } = session;
  const isOver = session.status === 'done';
  return { sessionId: session.id, chunkCount, chainHash, eventsStored, eventSize, seal, isOver };
}

function statusOf(
  session: SessionRow,
  recorded: Recorded,
  ledger: SessionFindings,
  isVouched: boolean,
): SessionVerificationView['status'] {
  if (recorded.faults.length > 0) return 'broken';
  const isUnknown = ledger.unknownKeys.length > 0 || (recorded.seal === 'unknown_key' && !isVouched);
  if (isUnknown) return 'unknown_key';
  if (session.status !== 'done') return 'unfinished';
  if (isRemoved(session)) return 'purged';
  return recorded.seal === 'absent' ? 'unsealed' : 'valid';
}
