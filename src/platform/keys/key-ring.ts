import { createHash } from 'node:crypto';

const KEY_ID_BYTES = 4;

/** One key of `SECRET_KEY` and its id, which is stored with everything the key seals. */
export interface SecretKey {
  /** 8 hexadecimal digits. */
  readonly id: string;
  readonly key: Buffer;
}

/** The keys of `SECRET_KEY`, in order. The first key seals. Every key opens the data that it sealed. */
export class KeyRing {
  private readonly keys: readonly SecretKey[];

  constructor(secretKeys: readonly Buffer[]) {
    this.keys = secretKeys.map((key) => ({ id: keyIdOf(key), key }));
  }

  /** The key that seals. */
  get current(): SecretKey {
    const [current] = this.keys;
    if (current === undefined) throw new Error('there is no secret key');
    return current;
  }

  get all(): readonly SecretKey[] {
    return this.keys;
  }

  find(id: string): SecretKey | undefined {
    return this.keys.find((candidate) => candidate.id === id);
  }
}

function keyIdOf(key: Buffer): string {
  const hash = createHash('sha256').update('access-gateway key id').update(key).digest();
  return hash.subarray(0, KEY_ID_BYTES).toString('hex');
}
