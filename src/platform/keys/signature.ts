import {
  type KeyObject,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  sign as signWith,
  verify as verifyWith,
} from 'node:crypto';
import { promisify } from 'node:util';

/** An Ed25519 private key in PKCS #8 (RFC 8410, section 7) consists of these bytes and the 32-byte seed. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const SEED_BYTES = 32;
/** Purpose of a signature. It is part of the signed bytes, so a signature is invalid for other purposes. */
export type Purpose = 'ledger entry' | 'evidence file' | 'public key';

/**
 * Returns the Ed25519 key derived from a secret key (HKDF-SHA-256, RFC 5869). No other key is needed to sign.
 */
export function signingKeyOf(secret: Buffer): KeyObject {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'access-gateway evidence Ed25519', SEED_BYTES));
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });
}

/** The public half, raw in base64url: `x` of a JSON Web Key (RFC 8037). */
export function publicPartOf(signingKey: KeyObject): string {
  const { x } = createPublicKey(signingKey).export({ format: 'jwk' });
  if (x === undefined) throw new Error('an Ed25519 key has an x');
  return x;
}

/** @throws when `x` is not an Ed25519 public key. */
export function publicKeyFrom(x: string): KeyObject {
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}

const signInThread = promisify<null, Buffer, KeyObject, Buffer>(signWith);
const verifyInThread = promisify<null, Buffer, KeyObject, Buffer, boolean>(verifyWith);

/** Signs in the thread pool of Node.js, so that the event loop is not blocked. */
export function sign(purpose: Purpose, content: Buffer, key: KeyObject): Promise<Buffer> {
  return signInThread(null, messageOf(purpose, content), key);
}

/** Verifies a signature in the thread pool of Node.js. */
export function isSigned(
  purpose: Purpose,
  content: Buffer,
  signature: Buffer,
  key: KeyObject,
): Promise<boolean> {
  return verifyInThread(null, messageOf(purpose, content), key, signature);
}

function messageOf(purpose: Purpose, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`access-gateway ${purpose}\n`), content]);
}
