import { createHash, createHmac, pbkdf2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { ScramVerifier } from '../../../gate/ports/issued-credentials';

const KEY_BYTES = 32;
const derive = promisify(pbkdf2);

/**
 * Whether a password is the one of the verifier: RFC 5802, section 3. Takes the same time for each password
 * and each verifier with the same number of iterations.
 */
export async function isPasswordOf(verifier: ScramVerifier, password: string): Promise<boolean> {
  const salted = await derive(password, verifier.salt, verifier.iterations, KEY_BYTES, 'sha256');
  const clientKey = createHmac('sha256', salted).update('Client Key').digest();
  return timingSafeEqual(createHash('sha256').update(clientKey).digest(), verifier.storedKey);
}
