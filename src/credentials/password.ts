import { randomBytes } from 'node:crypto';
import type { ScramVerifier } from '../gate/ports/issued-credentials';
import { scramVerifier } from './scram-verifier';

/** 256 bits, in letters, digits, `-` and `_`: an address takes them as they are. */
const PASSWORD_BYTES = 32;

/** Shown once; only the verifier is kept. */
export async function freshPassword(): Promise<{ password: string; verifier: ScramVerifier }> {
  const password = randomBytes(PASSWORD_BYTES).toString('base64url');
  return { password, verifier: await scramVerifier(password) };
}
