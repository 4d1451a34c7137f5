import { createHash, randomBytes } from 'node:crypto';
import type { CookieOptions, Request, Response } from 'express';
import type { HttpSettings } from '../../../platform/config/groups';
import { AppError } from '../../../kernel/app-error';
import type { Principal } from '../../../kernel/principal';
import { cookiesOf, hostCookieName, hostCookieOf, isTls } from '../../../platform/http/edge/host-cookie';

const NAME = 'gateway';
const VALUE = /^[\w-]{43}$/;
const READS = new Set(['GET', 'HEAD']);
/**
 * Header of the portal's requests. To send it, a page of another origin needs a CORS preflight, which is
 * refused.
 */
const PORTAL_HEADER = 'x-gateway-portal';
/** Header with the id of the person for whom a page was opened: `id` of `/userinfo`, percent-encoded. */
const PERSON_HEADER = 'x-gateway-portal-person';
/** Header with the id of a change, which is a request that changes data. The page generates the id. */
const REQUEST_HEADER = 'x-gateway-portal-request';
/**
 * Header with the time at which the page sent a change: milliseconds since 1970, by its estimate of the
 * gateway's clock.
 */
const SENT_HEADER = 'x-gateway-portal-sent';
/**
 * Maximum delay of a change in the network. It is twice the maximum error of a page's estimate of the
 * gateway's clock.
 */
const LATE_MS = 60_000;
/** Slowest network (8 kB a second) for which the gateway allows upload time. */
const SLOWEST_BYTES_PER_MS = 8;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
/** Header of requests that a page makes by itself while nobody uses the page. */
const UNATTENDED_HEADER = 'x-gateway-portal-unattended';

type Address = Pick<HttpSettings, 'apiUrl'>;

/** A value for a new cookie: 256 random bits. */
export function newPortalCookie(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the hash by which a session is found. The value of the cookie is not stored. */
export function hashOfCookie(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}

/** Returns the portal cookie of a request; undefined when the request has none, or two. */
export function portalCookieOf(request: Pick<Request, 'headers'>, address: Address): string | undefined {
  const value = hostCookieOf(request, address, NAME);
  return value !== undefined && VALUE.test(value) ? value : undefined;
}

/** Returns the error for a request without a usable portal cookie. */
export function noCredential(request: Pick<Request, 'headers'>, address: Address): AppError {
  const isDoubled = cookiesOf(request, hostCookieName(address, NAME)).length > 1;
  const message = isDoubled
    ? 'the browser has two cookies of the portal, of which the gateway set one: remove the cookies of this address, and sign in again'
    : 'sign in first: the request has no bearer token';
  return new AppError('unauthenticated', message);
}

/**
 * Refuses requests that come from pages of other origins. This is a second check besides `SameSite=Strict` of
 * the cookie: some browsers ignore that attribute, and it does not exclude other origins of the same site
 * (Fetch Metadata Request Headers; OWASP, "Cross-Site Request Forgery Prevention").
 * @throws AppError `unauthenticated`, because the cookie is no credential for such requests
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
 * Refuses WebSockets that a page of another origin opens. All browsers send the origin with each, but not all
 * of them `Sec-Fetch-Site`. A page cannot choose headers of a WebSocket.
 * @throws AppError `unauthenticated`, because the cookie is no credential for such requests
 */
export function requireOwnOrigin({ headers }: Pick<Request, 'headers'>, { apiUrl }: Address): void {
  if (headers.origin !== new URL(apiUrl).origin)
    throw new AppError('unauthenticated', 'pages of other sites cannot use the sign-in of the portal');
}

/**
 * Refuses requests of a page that was opened for another user. All tabs of a browser share one cookie, so
 * after a new user signs in, the tabs of the previous user would otherwise act for the new user.
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
 * Returns the id of a change; undefined for reads, and for changes without an id.
 * @throws AppError `malformed` when the id is not a UUID
 */
export function changeIdOf({ method, headers }: Pick<Request, 'method' | 'headers'>): string | undefined {
  const id = headers[REQUEST_HEADER];
  if (READS.has(method) || id === undefined) return undefined;
  if (typeof id !== 'string' || !UUID.test(id))
    throw new AppError('malformed', 'X-Gateway-Portal-Request is a UUID in small letters');
  return id;
}

/**
 * Refuses a change that the network delayed for long, or that its page has aborted, because the person does
 * not expect it any more.
 * @throws AppError `conflict`
 */
export function requireInTime({ headers, socket }: Pick<Request, 'headers' | 'socket'>): void {
  const sentAt = Number(headers[SENT_HEADER] ?? Number.NaN);
  const uploadMs = Number(headers['content-length'] ?? 0) / SLOWEST_BYTES_PER_MS;
  // Uses the clock of the `Date` header, because the page estimates the gateway's time from it.
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
 * Whether a person is using the page that made the request. A page that nobody uses must not keep its person
 * signed in.
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

/**
 * Returns the cookie's options. The cookie has no expiry, so it ends with the browser. The session's row in
 * the database contains the expiry.
 */
function optionsAt(address: Address): CookieOptions {
  return { httpOnly: true, sameSite: 'strict', secure: isTls(address), path: '/' };
}
