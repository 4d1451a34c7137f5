import { type JsonWebKey, type KeyObject, createPublicKey, hash } from 'node:crypto';
import { KeyFields } from './ssh-key-fields';
import { isForgeable } from './forgeable-points';

/** Types of public keys that people may sign in with: RFC 8709, RFC 5656 and RFC 4253. */
export const SSH_KEY_TYPES = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'ssh-rsa',
] as const;
export type SshKeyType = (typeof SSH_KEY_TYPES)[number];

/** A public key that passed all checks. */
export interface SshPublicKey {
  readonly kind: 'key';
  readonly type: SshKeyType;
  /** Size of the modulus of an RSA key; of the others, of the curve's field. */
  readonly bits: number;
  /** The wire format (RFC 4253, section 6.6). A key has exactly one, so it identifies the key. */
  readonly blob: Buffer;
  readonly key: KeyObject;
}

/** A refused key. The message is a sentence for the person; it contains nothing of what was given. */
export interface RefusedKey {
  readonly kind: 'refused';
  readonly message: string;
}

/**
 * Smallest RSA key. NIST SP 800-131A (revision 2, table 2) disallows signatures with less than 112 bits of
 * strength, which are 2 048 bits of a modulus. FIPS 186-5, section 5.1, has the same limit.
 */
const MIN_RSA_BITS = 2048;
/** Largest RSA key, as in OpenSSH. The time to check a signature grows with the square of the size. */
const MAX_RSA_BITS = 16_384;
/** Largest public exponent: OpenSSL's limit for large keys, because a long exponent makes checks slow. */
const MAX_EXPONENT_BYTES = 8;

const CURVES = {
  'ecdsa-sha2-nistp256': { curve: 'nistp256', crv: 'P-256', bits: 256 },
  'ecdsa-sha2-nistp384': { curve: 'nistp384', crv: 'P-384', bits: 384 },
  'ecdsa-sha2-nistp521': { curve: 'nistp521', crv: 'P-521', bits: 521 },
} as const;

/** Sentences about keys of types that are not accepted. */
const REFUSED_TYPES: readonly (readonly [RegExp, string])[] = [
  [/-cert-v0\d@openssh\.com$/, 'this is a certificate: register the public key itself'],
  [/^(?:sk|webauthn-sk)-/, 'keys of security keys (sk-…) are not supported: use a key of type ed25519'],
  [/^ssh-dss$/, 'DSA keys are too weak: make a key with ssh-keygen -t ed25519'],
];

/**
 * Reads a public key in the wire format. Refuses each encoding but the one that OpenSSH writes, because a key
 * with two encodings could be registered by two people.
 */
export function readSshKeyBlob(blob: Buffer): SshPublicKey | RefusedKey {
  const fields = new KeyFields(blob);
  const type = fields.text();
  const known = SSH_KEY_TYPES.find((one) => one === type);
  if (known === undefined) return refusedType(type);
  switch (known) {
    case 'ssh-ed25519':
      return ed25519(fields, blob);
    case 'ssh-rsa':
      return rsa(fields, blob);
    case 'ecdsa-sha2-nistp256':
    case 'ecdsa-sha2-nistp384':
    case 'ecdsa-sha2-nistp521':
      return ecdsa(known, fields, blob);
  }
}

/** Returns the SHA-256 of a key, by which its row is found. */
export function sshKeyDigest(blob: Buffer): Buffer {
  return hash('sha256', blob, 'buffer');
}

/** The fingerprint as `ssh-keygen -l` shows it. @param digest from `sshKeyDigest` */
export function sshFingerprint(digest: Buffer): string {
  return `SHA256:${digest.toString('base64').replace(/=+$/, '')}`;
}

export function refusedKey(message: string): RefusedKey {
  return { kind: 'refused', message };
}

/** @param type the name of a key's type, from the caller */
function refusedType(type: string | undefined): RefusedKey {
  const known = REFUSED_TYPES.find(([pattern]) => pattern.test(type ?? ''));
  const types = 'use a key of type ed25519, ecdsa or rsa';
  return refusedKey(known?.[1] ?? `this type of key is not supported: ${types}`);
}

function ed25519(fields: KeyFields, blob: Buffer): SshPublicKey | RefusedKey {
  const point = fields.bytes();
  if (point?.length !== 32 || !fields.isAtEnd) return malformed();
  if (isForgeable(point)) return refusedKey('anybody could sign with this key: make another one');
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: point.toString('base64url') };
  return checked('ssh-ed25519', 256, blob, jwk);
}

function ecdsa(type: keyof typeof CURVES, fields: KeyFields, blob: Buffer): SshPublicKey | RefusedKey {
  const { curve, crv, bits } = CURVES[type];
  const named = fields.text();
  const point = fields.bytes();
  const size = Math.ceil(bits / 8);
  // 4 marks an uncompressed point (SEC 1, section 2.3.3). OpenSSH accepts no other.
  if (named !== curve || point?.length !== 1 + 2 * size || point[0] !== 4 || !fields.isAtEnd)
    return malformed();
  const [x, y] = [point.subarray(1, 1 + size), point.subarray(1 + size)];
  return checked(type, bits, blob, {
    kty: 'EC',
    crv,
    x: x.toString('base64url'),
    y: y.toString('base64url'),
  });
}

function rsa(fields: KeyFields, blob: Buffer): SshPublicKey | RefusedKey {
  const e = fields.positiveInteger();
  const n = fields.positiveInteger();
  if (e === undefined || n === undefined || !fields.isAtEnd) return malformed();
  const bits = n.length * 8 - Math.clz32(n[0] ?? 0) + 24;
  if (bits < MIN_RSA_BITS)
    return refusedKey(`this RSA key has ${bits} bits, and at least ${MIN_RSA_BITS} are needed`);
  if (bits > MAX_RSA_BITS)
    return refusedKey(`this RSA key has ${bits} bits, and at most ${MAX_RSA_BITS} are accepted`);
  const isOdd = [e, n].every((number) => (number.at(-1) ?? 0) % 2 === 1);
  if (!isOdd || e.length > MAX_EXPONENT_BYTES || (e.length === 1 && e[0] === 1)) return malformed();
  return checked('ssh-rsa', bits, blob, {
    kty: 'RSA',
    e: e.toString('base64url'),
    n: n.toString('base64url'),
  });
}

/** Builds the key. OpenSSL refuses a point that is not on its curve. */
function checked(type: SshKeyType, bits: number, blob: Buffer, jwk: JsonWebKey): SshPublicKey | RefusedKey {
  try {
    return { kind: 'key', type, bits, blob, key: createPublicKey({ key: jwk, format: 'jwk' }) };
  } catch {
    return malformed();
  }
}

function malformed(): RefusedKey {
  return refusedKey('this key is damaged: copy the whole line of the .pub file');
}
