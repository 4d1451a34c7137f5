import { createHash } from 'node:crypto';
import type { SealingSettings } from '../../platform/config/groups';
import { KeyedSeal, type SealCheck } from '../../platform/keys/keyed-seal';

/** Value used as the previous hash of the first chunk. */
export const NO_CHUNK = Buffer.alloc(32);

/** Hashes a chunk with the previous hash (SHA-256), so that changed, missing or moved chunks are detected. */
export function chunkHash(previous: Buffer, sessionId: string, seq: number, payload: Buffer): Buffer {
  return createHash('sha256').update(previous).update(`${sessionId}:${seq}:`).update(payload).digest();
}

/** The totals of a recording, as stored in its session's row. */
export interface ChainEnd {
  readonly sessionId: string;
  readonly chunkCount: number;
  /** Hash of the last chunk; `NO_CHUNK` if there is no chunk yet. */
  readonly chainHash: Buffer;
  readonly eventsStored: number;
  /** Total size of the events' contents in bytes. */
  readonly eventSize: number;
}

/**
 * Seals the totals of a recording with HMAC-SHA-256 and a key derived from `SECRET_KEY`. An attacker who can
 * write to the database could recompute the hashes of a chain, but not the seal.
 */
export class RecordingSeal {
  private readonly seal: KeyedSeal;

  constructor(settings: SealingSettings) {
    this.seal = new KeyedSeal('access-gateway recording seal', settings.keys);
  }

  of(end: ChainEnd): Buffer {
    return this.seal.of(contentOf(end));
  }

  /** Checks a seal. Seals stay valid after a key rotation. */
  check(seal: Buffer, end: ChainEnd): SealCheck {
    return this.seal.check(seal, contentOf(end));
  }

  /** Whether the current key made the seal. */
  isCurrent(seal: Buffer): boolean {
    return this.seal.isCurrent(seal);
  }
}

function contentOf({ sessionId, chunkCount, chainHash, eventsStored, eventSize }: ChainEnd): string {
  return `${sessionId}:${chunkCount}:${chainHash.toString('hex')}:${eventsStored}:${eventSize}`;
}
