import { createHash, createHmac, pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import type { ScramVerifier } from '../gate/ports/issued-credentials';

/**
 * PostgreSQL's own default. More would only slow down who guesses passwords, and nobody guesses one of 256 random
 * bits; each sign-in would cost the client that much.
 */
const ITERATIONS = 4096;
/** As PostgreSQL salts its own users: nobody can tell by its length whether a salt belongs to anybody. */
const SALT_BYTES = 16;
const KEY_BYTES = 32;

const derive = promisify(pbkdf2);

/**
 * What is kept of a password (RFC 5802, section 3). SASLprep changes nothing in ASCII, so passwords must be ASCII.
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
