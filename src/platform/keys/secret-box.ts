import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SealingSettings } from '../config/groups';
import { KeyRing } from './key-ring';

const CIPHER = 'aes-256-gcm';
const FORMAT = 1;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + KEY_ID_BYTES + NONCE_BYTES;

/** Error for a secret that was sealed by a key that is not in `SECRET_KEY`. */
export class UnknownSecretKey extends Error {
  constructor(readonly keyId: string) {
    super(`no key in SECRET_KEY opens this secret: it was sealed by key ${keyId}`);
    this.name = 'UnknownSecretKey';
  }
}

/**
 * Seals secrets at rest with AES-256-GCM and the first key of `SECRET_KEY`. The header contains the id of
 * this key, so that `open` finds the key. The context is authenticated, so that a sealed secret cannot be
 * moved to another row.
 *
 * Layout with sizes in bytes: format (1), key id (4), nonce (12), tag (16), ciphertext.
 */
@Injectable()
export class SecretBox {
  private readonly keys: KeyRing;

  constructor(settings: SealingSettings) {
    this.keys = new KeyRing(settings.keys);
  }

  seal(plain: Readonly<Record<string, string>>, context: string): Buffer {
    const { id, key } = this.keys.current;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(JSON.stringify(plain)), cipher.final()]);
    return Buffer.concat([Buffer.of(FORMAT), Buffer.from(id, 'hex'), nonce, cipher.getAuthTag(), sealed]);
  }

  /**
   * Decrypts a sealed secret.
   * @throws UnknownSecretKey; another error when the bytes or the context differ from the sealed ones.
   */
  open(sealed: Buffer, context: string): Record<string, string> {
    const id = sealingKeyOf(sealed);
    const fitting = this.keys.find(id);
    if (sealed[0] !== FORMAT || fitting === undefined) throw new UnknownSecretKey(id);
    const decipher = createDecipheriv(CIPHER, fitting.key, sealed.subarray(1 + KEY_ID_BYTES, HEADER_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(context))
      .setAuthTag(sealed.subarray(HEADER_BYTES, HEADER_BYTES + TAG_BYTES));
    const plain = Buffer.concat([
      decipher.update(sealed.subarray(HEADER_BYTES + TAG_BYTES)),
      decipher.final(),
    ]);
    return JSON.parse(plain.toString()) as Record<string, string>;
  }
}

/** Id of the key that sealed these bytes. */
export function sealingKeyOf(sealed: Buffer): string {
  return sealed.subarray(1, 1 + KEY_ID_BYTES).toString('hex');
}
