import type { SealCheck } from '../../platform/keys/keyed-seal';
import { type ChainEnd, NO_CHUNK, chunkHash } from './chain';
import { type EventPiece, decodePieces, isSameEvent } from './event-codec';
import { readAhead } from './read-ahead';

/** A chunk, from the database or from a file. */
export interface ChunkFacts {
  readonly seq: number;
  readonly eventCount: number;
  readonly rawSize: number;
  readonly payload: Buffer;
  readonly previous: Buffer;
  readonly hash: Buffer;
}

/** The expected totals of a recording, from its session's row or from the header of an evidence file. */
export interface RecordingFacts extends ChainEnd {
  /** Whether the session has ended, so that its recording is complete. */
  readonly isOver: boolean;
  readonly seal: Buffer | null;
}

/**
 * A fault of a recording. `seq`: number of the wrong or missing chunk; null for a fault of the recording as a
 * whole.
 */
export interface ChainFault {
  readonly seq: number | null;
  readonly reason: string;
}

/**
 * Result of checking a seal. `absent`: there is no seal. `unchecked`: the verifier has no key. `unknown_key`:
 * the verifier does not have the key of the seal.
 */
export type SealState = SealCheck['state'] | 'absent' | 'unchecked';

/** Result of a verification. All totals were counted from the chunks. */
export interface Verification {
  readonly chunks: number;
  readonly events: number;
  /** Total size of the events' contents in bytes. */
  readonly size: number;
  /** Hash of the last chunk. */
  readonly chainHash: Buffer;
  readonly seal: SealState;
  /** Id of the seal's key if the verifier does not have that key; otherwise null. */
  readonly unknownKey: string | null;
  /** The first 100 faults. */
  readonly faults: readonly ChainFault[];
}

/** Checks whether a seal matches these totals. */
export type CheckSeal = (seal: Buffer, end: ChainEnd) => SealCheck;

const MAX_FAULTS = 100;
const AHEAD = 3;

/**
 * Verifies a recording chunk by chunk: numbers, links, content and counts. Then verifies the totals and the
 * seal. If the session still runs, `chunks` must be exactly the chunks that `facts` counts.
 */
export async function verifyRecording(
  facts: RecordingFacts,
  chunks: AsyncGenerator<ChunkFacts>,
  checkSeal: CheckSeal | undefined,
): Promise<Verification> {
  const walk = new Walk(facts);
  const decoded = readAhead(
    chunks,
    async (chunk) => ({ chunk, pieces: await decodePieces(chunk.payload).catch(() => undefined) }),
    AHEAD,
  );
  for await (const { chunk, pieces } of decoded) walk.chunk(chunk, pieces);
  return walk.end(checkSeal);
}

class Walk {
  private readonly faults: ChainFault[] = [];
  private chunks = 0;
  private events = 0;
  private size = 0;
  private lastSeq = 0;
  private chainHash: Buffer = NO_CHUNK;
  private open: EventPiece | undefined;

  constructor(private readonly facts: RecordingFacts) {}

  chunk(chunk: ChunkFacts, pieces: readonly EventPiece[] | undefined): void {
    this.link(chunk);
    this.content(chunk, pieces);
    this.chunks += 1;
    this.lastSeq = chunk.seq;
    // The next chunk must link to this chunk, even if the link of this chunk was wrong.
    this.chainHash = chunk.hash;
  }

  end(checkSeal: CheckSeal | undefined): Verification {
    const { facts, faults, chunks, events, size, chainHash } = this;
    this.expect(
      chunks === facts.chunkCount,
      null,
      `there are ${chunks} chunks instead of ${facts.chunkCount}`,
    );
    this.expect(chainHash.equals(facts.chainHash), null, 'the last hash differs from the stored one');
    this.expect(
      events === facts.eventsStored,
      null,
      `there are ${events} events instead of ${facts.eventsStored}`,
    );
    this.expect(
      size === facts.eventSize,
      null,
      `the events have ${size} bytes instead of ${facts.eventSize}`,
    );
    this.expect(!facts.isOver || this.open === undefined, this.lastSeq, 'its last event is incomplete');
    const check = this.seal(checkSeal);
    const seal = check.state;
    this.expect(seal !== 'broken', null, 'the seal is invalid');
    this.expect(seal !== 'absent' || !this.mustBeSealed(), null, 'the seal is missing');
    const unknownKey = check.state === 'unknown_key' ? check.keyId : null;
    return { chunks, events, size, chainHash, seal, unknownKey, faults };
  }

  private link({ seq, previous, hash, payload }: ChunkFacts): void {
    const expected = this.lastSeq + 1;
    if (seq === expected) {
      this.expect(previous.equals(this.chainHash), seq, 'it does not follow the previous chunk');
    } else {
      const missing = seq === expected + 1 ? 'it is missing' : `it is missing, like all chunks before ${seq}`;
      this.expect(false, seq > expected ? expected : seq, seq > expected ? missing : 'it is out of order');
      this.open = undefined;
    }
    const computed = chunkHash(previous, this.facts.sessionId, seq, payload);
    this.expect(hash.equals(computed), seq, 'its content was changed: the hash differs');
  }

  private content(chunk: ChunkFacts, pieces: readonly EventPiece[] | undefined): void {
    const { seq } = chunk;
    if (pieces === undefined) {
      this.open = undefined;
      return this.expect(false, seq, 'it cannot be read');
    }
    let [ended, size] = [0, 0];
    for (const piece of pieces) {
      const { open } = this;
      this.expect(open === undefined || isSameEvent(open, piece), seq, 'an event is incomplete');
      size += piece.content.length;
      if (piece.ends) ended += 1;
      this.open = piece.ends ? undefined : piece;
    }
    this.expect(ended === chunk.eventCount, seq, `it has ${ended} events instead of ${chunk.eventCount}`);
    this.expect(size === chunk.rawSize, seq, `its events have ${size} bytes instead of ${chunk.rawSize}`);
    this.events += ended;
    this.size += size;
  }

  /** Checks the seal against the stored totals, which were compared with the chunks before. */
  private seal(checkSeal: CheckSeal | undefined): SealCheck | { readonly state: 'absent' | 'unchecked' } {
    const { facts } = this;
    if (facts.seal === null) return { state: 'absent' };
    if (checkSeal === undefined) return { state: 'unchecked' };
    return checkSeal(facts.seal, facts);
  }

  /**
   * Whether a missing seal is a fault. Sessions with time-based ids (UUIDv7) were always sealed, so an
   * attacker cannot remove the seal and pretend that the recording is from before there were seals.
   */
  private mustBeSealed(): boolean {
    return this.facts.isOver && this.facts.sessionId.charAt(14) === '7';
  }

  private expect(isRight: boolean, seq: number | null, reason: string): void {
    if (!isRight && this.faults.length < MAX_FAULTS) this.faults.push({ seq, reason });
  }
}
