import { createPublicKey } from 'node:crypto';
import type { ParsedKey } from 'ssh2';
import { MIN_RSA_BITS } from './algorithms';

/** Returns the length of an RSA key in bits; undefined for other keys, whose types have one length. */
export function publicKeyBits(key: ParsedKey): number | undefined {
  return createPublicKey(key.getPublicPEM()).asymmetricKeyDetails?.modulusLength;
}

export function isTooShort(bits: number | undefined): boolean {
  return bits !== undefined && bits < MIN_RSA_BITS;
}
