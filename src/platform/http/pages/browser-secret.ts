import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** 43 characters of base64url. */
const SECRET_BYTES = 32;
const BROWSER_SECRET = /^[\w-]{43}$/;

export function randomSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** The secret of a browser from its cookie, if it has the form of one. */
export function browserSecret(cookie: string | undefined): string | undefined {
  return cookie !== undefined && BROWSER_SECRET.test(cookie) ? cookie : undefined;
}

export function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/**
 * Proves that a form was rendered for this browser, about what is named:
 * nobody else knows the secret in its cookie.
 */
export function formProof(browser: string, shown: string): string {
  return createHmac('sha256', browser).update(`consent ${shown}`).digest('base64url');
}

/** Whether two texts are the same, in time that does not depend on where they differ. */
export function isSameText(one: string, other: string): boolean {
  return timingSafeEqual(sha256(one), sha256(other));
}
