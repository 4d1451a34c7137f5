import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Size of a browser's secret: 256 bits, which are 43 base64url characters of 6 bits each. */
const SECRET_BYTES = 32;
const BROWSER_SECRET = /^[\w-]{43}$/;

export function randomSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Returns the secret in a browser's cookie, or undefined if it does not have the form of a secret. */
export function browserSecret(cookie: string | undefined): string | undefined {
  return cookie !== undefined && BROWSER_SECRET.test(cookie) ? cookie : undefined;
}

export function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/**
 * Returns a proof that a form was rendered for this browser and shows exactly `shown`. Only this browser has
 * the secret in its cookie.
 */
export function formProof(browser: string, shown: string): string {
  return createHmac('sha256', browser).update(`consent ${shown}`).digest('base64url');
}

/** Whether two texts are the same, in time that does not depend on where they differ. */
export function isSameText(one: string, other: string): boolean {
  return timingSafeEqual(sha256(one), sha256(other));
}
