import { Injectable } from '@nestjs/common';
import type { Principal } from '../kernel/principal';
import { RecordingSeal } from './recording/chain';
import { RecordingReader } from './recording/recording-reader';
import { type RecordingFacts, type Verification, verifyRecording } from './recording/verification';
import type { SessionVerificationView } from './session-verification.dto';
import type { Session } from './session.entity';
import { SessionsService } from './sessions.service';

/** Chunks are numbered from 1; what somebody put in may have any number. */
const BEFORE_ALL = -(2 ** 31);

/** Holds stored recordings against what their sessions' rows say. */
@Injectable()
export class SessionVerificationService {
  constructor(
    private readonly sessions: SessionsService,
    private readonly recordings: RecordingReader,
    private readonly seal: RecordingSeal,
  ) {}

  /** @throws AppError `not_found`, `forbidden` */
  async verify(actor: Principal, id: string): Promise<SessionVerificationView> {
    const session = await this.sessions.withRecording(actor, id);
    const facts = factsOf(session);
    if (session.recordingPurgedAt !== null) return this.removed(facts);
    // Chunks that come while this is read are no part of what the row said; after the end, there must be none.
    const upTo = facts.isOver ? undefined : facts.chunkCount;
    const chunks = this.recordings.chunks(session, BEFORE_ALL, undefined, upTo);
    const found = await verifyRecording(facts, chunks, (seal, end) => this.seal.fits(seal, end));
    return {
      status: statusOf(facts, found),
      chunks: found.chunks,
      events: found.events,
      size: found.size,
      chain_hash: found.chainHash.toString('hex'),
      sealed: found.seal === 'fits',
      faults: [...found.faults],
    };
  }

  /** What is left tells what was there: an evidence file that was taken before can be held against it. */
  private removed(facts: RecordingFacts): SessionVerificationView {
    const sealed = facts.seal !== null && this.seal.fits(facts.seal, facts);
    const chain = facts.chainHash.toString('hex');
    return { status: 'purged', chunks: 0, events: 0, size: 0, chain_hash: chain, sealed, faults: [] };
  }
}

function factsOf(session: Session): RecordingFacts {
  const { chunkCount, chainHash, eventsStored, eventSize, seal } = session;
  const isOver = session.status === 'done';
  return { sessionId: session.id, chunkCount, chainHash, eventsStored, eventSize, seal, isOver };
}

function statusOf(facts: RecordingFacts, found: Verification): SessionVerificationView['status'] {
  if (found.faults.length > 0) return 'broken';
  if (!facts.isOver) return 'unfinished';
  return found.seal === 'absent' ? 'unsealed' : 'valid';
}
