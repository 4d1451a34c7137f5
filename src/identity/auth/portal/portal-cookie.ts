import { createHash, randomBytes } from 'node:crypto';
import type { CookieOptions, Request, Response } from 'express';
import type { HttpSettings } from '../../../platform/config/groups';
import { AppError } from '../../../kernel/app-error';
import type { Principal } from '../../../kernel/principal';
import { cookiesOf, hostCookieName, hostCookieOf, isTls } from '../../../platform/http/edge/host-cookie';

const NAME = 'gateway';
const VALUE = /^[\w-]{43}$/;
const READS = new Set(['GET', 'HEAD']);
/** A page of another origin cannot set it without a request (CORS) that the gateway refuses. */
const PORTAL_HEADER = 'x-gateway-portal';
/** The person for whom a page was opened: the `id` of `/userinfo`, percent-encoded. */
const PERSON_HEADER = 'x-gateway-portal-person';
/** The id of a change that a page asks for, which the page made up. */
const REQUEST_HEADER = 'x-gateway-portal-request';
/** When the page sent it, in milliseconds since 1970 by the gateway's clock, as far as the page knows it. */
const SENT_HEADER = 'x-gateway-portal-sent';
/** Twice what a page may be wrong about the gateway's clock. */
const LATE_MS = 60_000;
/** A network that is slower than 8 kB a second is not awaited. */
const SLOWEST_BYTES_PER_MS = 8;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
/** With what a page asks by itself while nobody touches it. */
const UNATTENDED_HEADER = 'x-gateway-portal-unattended';

type Address = Pick<HttpSettings, 'apiUrl'>;

/** A value for a new cookie: 256 random bits. */
export function newPortalCookie(): string {
  return randomBytes(32).toString('base64url');
}

/** Under which a session is found. The value itself is stored nowhere. */
export function hashOfCookie(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}

/** The cookie of a request's portal session; undefined without one, and with two. */
export function portalCookieOf(request: Request, address: Address): string | undefined {
  const value = hostCookieOf(request, address, NAME);
  return value !== undefined && VALUE.test(value) ? value : undefined;
}

/** Error for a request without such a cookie. */
export function noCredential(request: Request, address: Address): AppError {
  const isDoubled = cookiesOf(request, hostCookieName(address, NAME)).length > 1;
  const message = isDoubled
    ? 'the browser has two cookies of the portal, of which the gateway set one: remove the cookies of this address, and sign in again'
    : 'sign in first: the request has no bearer token';
  return new AppError('unauthenticated', message);
}

/**
 * Refuses requests that a page of another site made a browser send. The cookie is `SameSite=Strict`; this is
 * the second lock, for browsers and neighbours on the same site that get around the first (Fetch Metadata
 * Request Headers; OWASP, "Cross-Site Request Forgery Prevention").
 * @throws AppError `unauthenticated`: for them the cookie is no credential
 */
export function requireOwnPage({ method, headers }: Pick<Request, 'method' | 'headers'>): void {
  const site = headers['sec-fetch-site'];
  const isRead = READS.has(method);
  if (site === undefined)
    throw new AppError(
      'unauthenticated',
      'the portal needs a browser that says where a request comes from (Sec-Fetch-Site), and https',
    );
  if (site !== 'same-origin' && !(isRead && site === 'none'))
    throw new AppError('unauthenticated', 'pages of other sites cannot use the sign-in of the portal');
  if (!isRead && headers[PORTAL_HEADER] !== '1')
    throw new AppError(
      'unauthenticated',
      'a change with the sign-in of the portal needs X-Gateway-Portal: 1',
    );
}

/**
 * Refuses requests of a page that belongs to another user. All tabs of a browser have one cookie: without
 * this check, a user who signs in in one tab would act in the others, with what the user before them typed
 * there.
 * @throws AppError `unauthenticated`
 */
export function requireSamePerson(
  { headers }: Pick<Request, 'headers'>,
  { subject }: Pick<Principal, 'subject'>,
): void {
  const person = headers[PERSON_HEADER];
  if (person !== undefined && person !== encodeURIComponent(subject))
    throw new AppError('unauthenticated', 'somebody else signed in at this browser: this page is not theirs');
}

/**
 * The id of a change; undefined for reads, and for changes without one.
 * @throws AppError `malformed` for what is no UUID
 */
export function changeIdOf({ method, headers }: Pick<Request, 'method' | 'headers'>): string | undefined {
  const id = headers[REQUEST_HEADER];
  if (READS.has(method) || id === undefined) return undefined;
  if (typeof id !== 'string' || !UUID.test(id))
    throw new AppError('malformed', 'X-Gateway-Portal-Request is a UUID in small letters');
  return id;
}

/**
 * Refuses a change that the network kept for long, or whose page has given it up since: nothing that a person
 * did is done when nobody expects it any more.
 * @throws AppError `conflict`
 */
export function requireInTime({ headers, socket }: Pick<Request, 'headers' | 'socket'>): void {
  const sentAt = Number(headers[SENT_HEADER] ?? Number.NaN);
  const uploadMs = Number(headers['content-length'] ?? 0) / SLOWEST_BYTES_PER_MS;
  // The clock that answers name in `Date`.
  const ageMs = Date.now() - sentAt;
  if (ageMs > LATE_MS + uploadMs)
    throw new AppError(
      'conflict',
      `this arrived ${Math.round(ageMs / 1000)} seconds after it was sent, and was not done; do it again if it is still meant`,
    );
  if (socket.destroyed || socket.readableEnded)
    throw new AppError('conflict', 'the page gave this up before it was begun');
}

/**
 * Whether the user made the request, as far as its page knows: a screen that nobody touches must not keep its
 * person signed in.
 */
export function isAttended({ headers }: Pick<Request, 'headers'>): boolean {
  return headers[UNATTENDED_HEADER] === undefined;
}

export function setPortalCookie(response: Response, address: Address, value: string): void {
  response.cookie(hostCookieName(address, NAME), value, optionsAt(address));
}

export function clearPortalCookie(response: Response, address: Address): void {
  response.clearCookie(hostCookieName(address, NAME), optionsAt(address));
}

/** Without an age: it goes when the browser is closed. The row contains its expiry. */
function optionsAt(address: Address): CookieOptions {
  return { httpOnly: true, sameSite: 'strict', secure: isTls(address), path: '/' };
}
