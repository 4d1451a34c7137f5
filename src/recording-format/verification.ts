import type { SealCheck } from '../keys/keyed-seal';
import { type ChainEnd, NO_CHUNK, chunkHash } from './chain';
import { type EventPiece, decodePieces, isSameEvent } from './event-codec';
import { readAhead } from './read-ahead';

/** A chunk, wherever it was read from. */
export interface ChunkFacts {
  readonly seq: number;
  readonly eventCount: number;
  readonly rawSize: number;
  readonly payload: Buffer;
  readonly previous: Buffer;
  readonly hash: Buffer;
}

/** What a recording must amount to: as its session's row says, or the head of a file. */
export interface RecordingFacts extends ChainEnd {
  /** The session is over: its recording is complete. */
  readonly isOver: boolean;
  readonly seal: Buffer | null;
}

/** `seq`: the chunk, or where one is missing; null: the recording as a whole. */
export interface ChainFault {
  readonly seq: number | null;
  readonly reason: string;
}

/** `absent`: nobody put one on it. `unchecked`: whoever verified has no key. `unknown_key`: not the one that made it. */
export type SealState = SealCheck['state'] | 'absent' | 'unchecked';

/** What was found; the figures are counted, not believed. */
export interface Verification {
  readonly chunks: number;
  readonly events: number;
  /** Bytes of the events' contents. */
  readonly size: number;
  /** Hash of the last chunk. */
  readonly chainHash: Buffer;
  readonly seal: SealState;
  /** Id of the key that made the seal, where it is not given. */
  readonly unknownKey: string | null;
  /** The first 100. */
  readonly faults: readonly ChainFault[];
}

/** Whether a seal was made for that end. */
export type CheckSeal = (seal: Buffer, end: ChainEnd) => SealCheck;

const MAX_FAULTS = 100;
const AHEAD = 3;

/**
 * Holds a recording against what it must amount to, chunk by chunk: their numbers, their links, their content, their
 * figures, and at last the sum of it and the seal. Of a session that runs, `chunks` are those that `facts` count.
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
    // Whatever it should have been: what comes next is held against what is there.
    this.chainHash = chunk.hash;
  }

  end(checkSeal: CheckSeal | undefined): Verification {
    const { facts, faults, chunks, events, size, chainHash } = this;
    this.expect(
      chunks === facts.chunkCount,
      null,
      `there are ${chunks} chunks, and must be ${facts.chunkCount}`,
    );
    this.expect(chainHash.equals(facts.chainHash), null, 'the last hash is not the one that was noted');
    this.expect(
      events === facts.eventsStored,
      null,
      `there are ${events} events, and must be ${facts.eventsStored}`,
    );
    this.expect(
      size === facts.eventSize,
      null,
      `the events have ${size} bytes, and must have ${facts.eventSize}`,
    );
    this.expect(!facts.isOver || this.open === undefined, this.lastSeq, 'its last event has no end');
    const check = this.seal(checkSeal);
    const seal = check.state;
    this.expect(seal !== 'broken', null, 'the seal does not fit');
    this.expect(seal !== 'absent' || !this.mustBeSealed(), null, 'its seal is missing');
    const unknownKey = check.state === 'unknown_key' ? check.keyId : null;
    return { chunks, events, size, chainHash, seal, unknownKey, faults };
  }

  private link({ seq, previous, hash, payload }: ChunkFacts): void {
    const expected = this.lastSeq + 1;
    if (seq === expected) {
      this.expect(previous.equals(this.chainHash), seq, 'it does not follow the chunk before it');
    } else {
      const missing = seq === expected + 1 ? 'it is missing' : `it is missing, and all before ${seq}`;
      this.expect(false, seq > expected ? expected : seq, seq > expected ? missing : 'it is out of order');
      this.open = undefined;
    }
    const computed = chunkHash(previous, this.facts.sessionId, seq, payload);
    this.expect(hash.equals(computed), seq, 'it is not what was recorded: its hash is another');
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
      this.expect(open === undefined || isSameEvent(open, piece), seq, 'an event has no end');
      size += piece.content.length;
      if (piece.ends) ended += 1;
      this.open = piece.ends ? undefined : piece;
    }
    this.expect(ended === chunk.eventCount, seq, `it has ${ended} events, and says ${chunk.eventCount}`);
    this.expect(size === chunk.rawSize, seq, `its events have ${size} bytes, and it says ${chunk.rawSize}`);
    this.events += ended;
    this.size += size;
  }

  /** A seal is for what the row says; that the chunks come to the same has been looked at already. */
  private seal(checkSeal: CheckSeal | undefined): SealCheck | { readonly state: 'absent' | 'unchecked' } {
    const { facts } = this;
    if (facts.seal === null) return { state: 'absent' };
    if (checkSeal === undefined) return { state: 'unchecked' };
    return checkSeal(facts.seal, facts);
  }

  /** Seals are as old as ids that tell the time (UUIDv7): taking one away must not make a recording older than it is. */
  private mustBeSealed(): boolean {
    return this.facts.isOver && this.facts.sessionId.charAt(14) === '7';
  }

  private expect(isRight: boolean, seq: number | null, reason: string): void {
    if (!isRight && this.faults.length < MAX_FAULTS) this.faults.push({ seq, reason });
  }
}
