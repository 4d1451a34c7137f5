import { createHmac, timingSafeEqual } from 'node:crypto';
import { KeyRing } from './key-ring';

/** Result of checking a seal. `unknown_key`: the key of the seal is not in `SECRET_KEY`. */
export type SealCheck =
  | { readonly state: 'fits' | 'broken' }
  | { readonly state: 'unknown_key'; readonly keyId: string };

const FORMAT = 1;
const KEY_ID_BYTES = 4;
const HEADER_BYTES = 1 + KEY_ID_BYTES;
const MAC_BYTES = 32;

/**
 * HMAC-SHA-256 with a key that is derived from `SECRET_KEY` for one purpose.
 *
 * Layout with sizes in bytes: format (1), key id (4), HMAC (32). Old seals consist of the HMAC alone. They
 * have no key id, so they are checked with all keys, and the result is never `unknown_key`.
 */
export class KeyedSeal {
  private readonly ring: KeyRing;
  private readonly derived: ReadonlyMap<string, Buffer>;

  constructor(purpose: string, secretKeys: readonly Buffer[]) {
    this.ring = new KeyRing(secretKeys);
    this.derived = new Map(
      this.ring.all.map(({ id, key }) => [id, createHmac('sha256', key).update(purpose).digest()]),
    );
  }

  of(content: Buffer | string): Buffer {
    const { id } = this.ring.current;
    return Buffer.concat([Buffer.of(FORMAT), Buffer.from(id, 'hex'), this.mac(id, content)]);
  }

  check(seal: Buffer, content: Buffer | string): SealCheck {
    if (seal.length === MAC_BYTES) {
      const fits = this.ring.all.some(({ id }) => timingSafeEqual(seal, this.mac(id, content)));
      return { state: fits ? 'fits' : 'broken' };
    }
    if (seal.length !== HEADER_BYTES + MAC_BYTES || seal[0] !== FORMAT) return { state: 'broken' };
    const keyId = keyIdIn(seal);
    if (!this.derived.has(keyId)) return { state: 'unknown_key', keyId };
    const fits = timingSafeEqual(seal.subarray(HEADER_BYTES), this.mac(keyId, content));
    return { state: fits ? 'fits' : 'broken' };
  }

  isCurrent(seal: Buffer): boolean {
    return seal.length === HEADER_BYTES + MAC_BYTES && keyIdIn(seal) === this.ring.current.id;
  }

  private mac(keyId: string, content: Buffer | string): Buffer {
    const key = this.derived.get(keyId);
    if (key === undefined) throw new Error('the key is in the ring');
    return createHmac('sha256', key).update(content).digest();
  }
}

function keyIdIn(seal: Buffer): string {
  return seal.subarray(1, HEADER_BYTES).toString('hex');
}
