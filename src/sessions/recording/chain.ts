import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings';

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
@Injectable()
export class RecordingSeal {
  private readonly keys: readonly Buffer[];

  constructor(settings: Settings) {
    this.keys = settings.SECRET_KEY.map((key) =>
      createHmac('sha256', key).update('access-gateway recording seal').digest(),
    );
  }

  of(end: ChainEnd): Buffer {
    const [current] = this.keys;
    if (current === undefined) throw new Error('there is no secret key');
    return sealed(current, end);
  }

  /** Whether any of the keys made it: a seal stays good while keys are rotated. */
  fits(seal: Buffer, end: ChainEnd): boolean {
    return this.keys.some((key) => {
      const expected = sealed(key, end);
      return seal.length === expected.length && timingSafeEqual(seal, expected);
    });
  }
}

function sealed(
  key: Buffer,
  { sessionId, chunkCount, chainHash, eventsStored, eventSize }: ChainEnd,
): Buffer {
  const said = `${sessionId}:${chunkCount}:${chainHash.toString('hex')}:${eventsStored}:${eventSize}`;
  return createHmac('sha256', key).update(said).digest();
}
