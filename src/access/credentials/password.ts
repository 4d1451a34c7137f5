import { randomBytes } from 'node:crypto';
import type { ScramVerifier } from '../../gate/ports/issued-credentials';
import { scramVerifier } from './scram-verifier';

/** 32 bytes are 256 random bits. A password has only letters, digits, `-` and `_`, which fit into a URL. */
const PASSWORD_BYTES = 32;

/** Returns a new password, which is shown once, and its verifier, which is stored. */
export async function freshPassword(): Promise<{ password: string; verifier: ScramVerifier }> {
  const password = randomBytes(PASSWORD_BYTES).toString('base64url');
  return { password, verifier: await scramVerifier(password) };
}
