import { createHash, createHmac, pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import type { ScramVerifier } from '../../gate/ports/issued-credentials';

/**
 * PostgreSQL's default number of iterations. More would only slow down each sign-in, because a password of
 * 256 random bits cannot be guessed.
 */
const ITERATIONS = 4096;
/** Length of PostgreSQL's salts. Unknown users get mock salts of this length, to look like known users. */
const SALT_BYTES = 16;
const KEY_BYTES = 32;

const derive = promisify(pbkdf2);

/**
 * Computes the verifier of a password (RFC 5802, section 3), which is stored instead of the password. Skips
 * SASLprep, so the password must be ASCII, which SASLprep does not change.
 */
export async function scramVerifier(password: string): Promise<ScramVerifier> {
  const salt = randomBytes(SALT_BYTES);
  const salted = await derive(password, salt, ITERATIONS, KEY_BYTES, 'sha256');
  const clientKey = hmac(salted, 'Client Key');
  return {
    iterations: ITERATIONS,
    salt,
    storedKey: createHash('sha256').update(clientKey).digest(),
    serverKey: hmac(salted, 'Server Key'),
  };
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
