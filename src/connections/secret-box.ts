import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings';

const CIPHER = 'aes-256-gcm';
const FORMAT = 1;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + KEY_ID_BYTES + NONCE_BYTES;

/**
 * Seals secrets at rest: AES-256-GCM under the first of `SECRET_KEY`; the key's id in the header tells
 * which of them opens. The context is authenticated, so that a sealed secret cannot be moved to another row.
 *
 * Layout: format (1) · key id (4) · nonce (12) · tag (16) · ciphertext.
 */
@Injectable()
export class SecretBox {
  private readonly keys: { id: Buffer; key: Buffer }[];

  constructor(settings: Settings) {
    this.keys = settings.SECRET_KEY.map((key) => ({
      key,
      id: createHash('sha256').update('access-gateway key id').update(key).digest().subarray(0, KEY_ID_BYTES),
    }));
  }

  seal(plain: Readonly<Record<string, string>>, context: string): Buffer {
    const [current] = this.keys;
    if (current === undefined) throw new Error('there is no secret key');
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, current.key, nonce).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(JSON.stringify(plain)), cipher.final()]);
    return Buffer.concat([Buffer.of(FORMAT), current.id, nonce, cipher.getAuthTag(), sealed]);
  }

  /** @throws when no key fits, or the bytes or the context are not those that were sealed. */
  open(sealed: Buffer, context: string): Record<string, string> {
    const id = sealed.subarray(1, 1 + KEY_ID_BYTES);
    const fitting = this.keys.find((candidate) => candidate.id.equals(id));
    if (sealed[0] !== FORMAT || fitting === undefined)
      throw new Error('no key in SECRET_KEY opens this secret');
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
