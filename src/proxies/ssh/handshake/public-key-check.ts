import { verify } from 'node:crypto';
import { promisify } from 'node:util';
import type { PublicKeyAuthContext } from 'ssh2';
import { type SshPublicKey, readSshKeyBlob } from '../../../platform/keys/ssh-public-key';

const checkSignature = promisify(verify);

/** Hashes of ECDSA signatures: RFC 5656, section 6.2.1. */
const HASHES = {
  'ecdsa-sha2-nistp256': 'sha256',
  'ecdsa-sha2-nistp384': 'sha384',
  'ecdsa-sha2-nistp521': 'sha512',
} as const;

/** A key that a client offers, or signs with, in a form that the gateway accepts. */
export interface OfferedKey {
  readonly key: SshPublicKey;
  /** Hash of the signature; null for Ed25519, which has its own. */
  readonly hash: string | null;
}

/** Returns undefined for a key or an algorithm that nobody can register or use, such as RSA with SHA-1. */
export function offeredKey(attempt: PublicKeyAuthContext): OfferedKey | undefined {
  const key = readSshKeyBlob(attempt.key.data);
  // The driver calls the algorithms of RSA with SHA-2 `ssh-rsa`, and names their hash separately.
  if (key.kind === 'refused' || key.type !== attempt.key.algo) return undefined;
  switch (key.type) {
    case 'ssh-ed25519':
      return { key, hash: null };
    case 'ssh-rsa':
      return attempt.hashAlgo === undefined ? undefined : { key, hash: attempt.hashAlgo };
    case 'ecdsa-sha2-nistp256':
    case 'ecdsa-sha2-nistp384':
    case 'ecdsa-sha2-nistp521':
      return { key, hash: HASHES[key.type] };
  }
}

/**
 * Whether the client signed with the private key of this key: RFC 4252, section 7. The signature is over the
 * session id, so it is good for this connection alone, and over the user name and the key. Runs in a thread
 * of Node.js, because a check of a large RSA key takes longer than other clients should wait.
 */
export async function isSignedBy({ key, hash }: OfferedKey, attempt: PublicKeyAuthContext): Promise<boolean> {
  const { blob, signature } = attempt;
  if (blob === undefined || signature === undefined) return false;
  // Signatures of malformed lengths are errors in some versions of OpenSSL.
  return checkSignature(hash, blob, key.key, signature).catch(() => false);
}
