import { createHmac } from 'node:crypto';
import type { ScramVerifier } from '../../gate/ports/issued-credentials';

/**
 * Iterations and salt size, equal to those of issued credentials, because any difference would reveal which
 * names exist.
 */
const ITERATIONS = 4_096;
const SALT_BYTES = 16;

/**
 * Returns a verifier for an unknown name, so that the client is asked for a password as usual. A name gets
 * the same salt each time, on every gateway that shares the key. No password matches the verifier.
 */
export function mockVerifier(secret: Buffer, name: string): ScramVerifier {
  const part = (what: string): Buffer => createHmac('sha256', secret).update(`${what} of ${name}`).digest();
  return {
    iterations: ITERATIONS,
    salt: part('mock salt').subarray(0, SALT_BYTES),
    storedKey: part('mock stored key'),
    serverKey: part('mock server key'),
  };
}
