import { createHash, createHmac, pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { LRUCache } from 'lru-cache';

/** Keys that SCRAM derives from a password, a salt and a number of iterations: RFC 5802, section 3. */
export interface ScramKeys {
  readonly clientKey: Buffer;
  readonly storedKey: Buffer;
  readonly serverKey: Buffer;
}

const KEY_BYTES = 32;
const MAX_KEPT = 1_000;

/** Random secret in the keys of the cache. Without it, an attacker could guess passwords from these keys. */
const PEPPER = randomBytes(KEY_BYTES);

const derive = promisify(pbkdf2);
const kept = new LRUCache<string, Promise<ScramKeys>>({ max: MAX_KEPT });

/**
 * Returns the keys for a password, and keeps the last thousand in memory. Deriving keys takes 2 ms of
 * processor time (4 096 iterations), and the salt of a role changes only with its password. Concurrent
 * sign-ins of one role share one derivation.
 */
export function scramKeys(password: string, salt: Buffer, iterations: number): Promise<ScramKeys> {
  const name = createHmac('sha256', PEPPER)
    .update(`${iterations} ${salt.toString('base64')} ${password}`)
    .digest('base64');
  const known = kept.get(name);
  if (known !== undefined) return known;
  const keys = deriveKeys(password, salt, iterations);
  kept.set(name, keys);
  keys.catch(() => kept.delete(name));
  return keys;
}

async function deriveKeys(password: string, salt: Buffer, iterations: number): Promise<ScramKeys> {
  const salted = await derive(prepared(password), salt, iterations, KEY_BYTES, 'sha256');
  const clientKey = hmac(salted, 'Client Key');
  return {
    clientKey,
    storedKey: createHash('sha256').update(clientKey).digest(),
    serverKey: hmac(salted, 'Server Key'),
  };
}

export function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text, 'latin1').digest();
}

/** Spaces outside ASCII: RFC 3454, table C.1.2. */
const OTHER_SPACES = /[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]/gu;
/** Characters that SASLprep removes: RFC 3454, table B.1. */
const MAPPED_TO_NOTHING =
  /\u00ad|\u034f|\u1806|[\u180b-\u180d]|[\u200b-\u200d]|\u2060|[\ufe00-\ufe0f]|\ufeff/gu;

/**
 * SASLprep (RFC 4013) without its check for prohibited characters. PostgreSQL accepts a password with such
 * characters, so a refusal would lock its role out. ASCII is unchanged.
 */
function prepared(password: string): string {
  return password.replace(OTHER_SPACES, ' ').replace(MAPPED_TO_NOTHING, '').normalize('NFKC');
}
