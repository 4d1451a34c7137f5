import { createHash } from 'node:crypto';
import type { SealingSettings } from '../config/groups';
import { KeyedSeal, type SealCheck } from '../keys/keyed-seal';

/** Before the first chunk. */
export const NO_CHUNK = Buffer.alloc(32);

/** Links a chunk to the one before it (SHA-256), so that a changed, missing or moved chunk shows. */
export function chunkHash(previous: Buffer, sessionId: string, seq: number, payload: Buffer): Buffer {
  return createHash('sha256').update(previous).update(`${sessionId}:${seq}:`).update(payload).digest();
}

/** What a recording amounts to; a session's row holds it. */
export interface ChainEnd {
  readonly sessionId: string;
  readonly chunkCount: number;
  /** Hash of the last chunk; `NO_CHUNK` before the first. */
  readonly chainHash: Buffer;
  readonly eventsStored: number;
  /** Bytes of the events' contents. */
  readonly eventSize: number;
}

/**
 * Seals what a recording amounts to with HMAC-SHA-256 under a key derived from `SECRET_KEY`: whoever can write to
 * the database, and could compute the hashes of a chain anew, cannot compute the seal.
 */
export class RecordingSeal {
  private readonly seal: KeyedSeal;

  constructor(settings: SealingSettings) {
    this.seal = new KeyedSeal('access-gateway recording seal', settings.keys);
  }

  of(end: ChainEnd): Buffer {
    return this.seal.of(contentOf(end));
  }

  /** A seal stays good while keys are rotated. */
  check(seal: Buffer, end: ChainEnd): SealCheck {
    return this.seal.check(seal, contentOf(end));
  }

  /** Whether the key that seals now made it. */
  isCurrent(seal: Buffer): boolean {
    return this.seal.isCurrent(seal);
  }
}

function contentOf({ sessionId, chunkCount, chainHash, eventsStored, eventSize }: ChainEnd): string {
  return `${sessionId}:${chunkCount}:${chainHash.toString('hex')}:${eventsStored}:${eventSize}`;
}
