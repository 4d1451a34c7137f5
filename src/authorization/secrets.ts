import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { RESOURCE_TOKEN_START } from '../auth/resource-tokens';
import type { IssuedTokenKind } from './authorization.entity';

/** 43 characters of base64url. */
const SECRET_BYTES = 32;
const STARTS: Record<IssuedTokenKind, string> = {
  code: 'gwc_',
  access: RESOURCE_TOKEN_START,
  refresh: 'gwr_',
};
const BROWSER_SECRET = /^[\w-]{43}$/;

/** A new code or token. Its first characters tell people and scanners for leaked secrets what it is. */
export function newToken(kind: IssuedTokenKind): string {
  return `${STARTS[kind]}${randomSecret()}`;
}

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

/** Proves that a form was rendered for this browser: nobody else knows the secret in its cookie. */
export function formProof(browser: string, request: string): string {
  return createHmac('sha256', browser).update(`consent ${request}`).digest('base64url');
}

/** Whether two texts are the same, in time that does not tell where they differ. */
export function isSameText(one: string, other: string): boolean {
  return timingSafeEqual(sha256(one), sha256(other));
}
