import { type KeyObject, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { freshSshKey } from '../../../src/platform/keys/fresh-ssh-key';

/** A key pair of a person. */
export interface TestKey {
  /** The private key, as `ssh2` reads it. */
  readonly privateKey: string;
  /** The line of the `.pub` file. */
  readonly line: string;
}

/** A field of a key in the wire format: its length, and its bytes. */
export function field(bytes: Buffer | string): Buffer {
  const content = Buffer.from(bytes);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([length, content]);
}

/** A positive `mpint`, as RFC 4251 demands it. */
export function integer(bytes: Buffer): Buffer {
  return field((bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes);
}

/** The wire format of a public key. */
export function blobOf(key: KeyObject): Buffer {
  const { kty, crv, x, y, n, e } = key.export({ format: 'jwk' });
  const bytes = (text: string | undefined): Buffer => Buffer.from(text ?? '', 'base64url');
  if (kty === 'OKP') return Buffer.concat([field('ssh-ed25519'), field(bytes(x))]);
  if (kty === 'RSA') return Buffer.concat([field('ssh-rsa'), integer(bytes(e)), integer(bytes(n))]);
  const curve = `nistp${crv?.slice(2)}`;
  const point = Buffer.concat([Buffer.from([4]), bytes(x), bytes(y)]);
  return Buffer.concat([field(`ecdsa-sha2-${curve}`), field(curve), field(point)]);
}

/** The line of a `.pub` file. */
export function lineOf(blob: Buffer, comment = 'alice@laptop'): string {
  const length = blob.readUInt32BE(0);
  return `${blob.toString('latin1', 4, 4 + length)} ${blob.toString('base64')} ${comment}`;
}

export function freshEd25519(): TestKey {
  const { key, publicKey } = freshSshKey();
  return { privateKey: key, line: lineOf(Buffer.from(publicKey, 'base64')) };
}

export function freshRsa(modulusLength = 2048): TestKey {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength });
  return {
    privateKey: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
    line: lineOf(blobOf(createPublicKey(privateKey))),
  };
}

/** @param namedCurve `P-256`, `P-384` or `P-521` */
export function freshEcdsa(namedCurve: string): TestKey {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve });
  return {
    privateKey: privateKey.export({ type: 'sec1', format: 'pem' }).toString(),
    line: lineOf(blobOf(createPublicKey(privateKey))),
  };
}
