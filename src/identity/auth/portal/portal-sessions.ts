import { Injectable } from '@nestjs/common';
import { PortalSettings } from '../../../platform/config/groups';
import { Authenticator } from '../../../gate/ports/authenticator';
import { AppError } from '../../../kernel/app-error';
import { Clock } from '../../../kernel/async/clock';
import type { Principal } from '../../../kernel/principal';
import type { ProviderTokens } from '../provider/identity-provider.client';
import { KnownPortalSessions } from './known-portal-sessions';
import { hashOfCookie, newPortalCookie } from './portal-cookie';
import type { OpenPortalSession } from './portal-session-rows';
import { PortalTokenRenewal } from './portal-token-renewal';

/** After this time the person signs in again, however busy. */
const LIFETIME_MS = 24 * 3_600_000;
/** Interval at which the time of the last use is written. */
const TOUCHED_EVERY_MS = 30_000;

/**
 * People who are signed in at the portal. The cookie is an opaque id; the identity provider's tokens stay
 * with the gateway, which identifies the person by them as it does by a bearer token.
 *
 * A session ends by signing out, after `PORTAL_IDLE_MINUTES` without a request that the user made, after a
 * day, and when the provider or an admin has ended the person's access.
 */
@Injectable()
export class PortalSessions {
  constructor(
    private readonly known: KnownPortalSessions,
    private readonly renewal: PortalTokenRenewal,
    private readonly authenticator: Authenticator,
    private readonly settings: PortalSettings,
    private readonly clock: Clock,
  ) {}

  /** Begins a session. @returns the value of its cookie */
  async begin({ orgId, userId }: Principal, tokens: ProviderTokens): Promise<string> {
    const cookie = newPortalCookie();
    const now = this.clock.now();
    const times = {
      createdAt: new Date(now),
      renewAt: new Date(this.renewal.dueAt(tokens)),
      expiresAt: new Date(now + LIFETIME_MS),
    };
    await this.known.insert({ orgId, userId, cookieHash: hashOfCookie(cookie), ...times }, tokens);
    return cookie;
  }

  /**
   * The person of a cookie.
   * @param isUse whether the user made the request; pages ask by themselves too
   * @throws AppError `unauthenticated` when the session is unknown or has ended; as `Authenticator.identify`
   * does
   */
  async identify(cookie: string, address: string, isUse: boolean): Promise<Principal> {
    const hash = hashOfCookie(cookie);
    const session = await this.current(hash);
    if (session === undefined) throw ended();
    const person = await this.personOf(session, hash, address);
    const now = this.clock.now();
    if (isUse && now - session.usedAt > TOUCHED_EVERY_MS) await this.known.touch(session, hash, now);
    return person;
  }

  /**
   * Takes a change that a page asks for, once at all gateways: a browser that loses a connection sends what
   * waited for an answer there again by itself, whether it was received or not.
   * @param request its id, which the page made up
   * @throws AppError `conflict` the second time; `unauthenticated` when the session has ended
   */
  async take(cookie: string, request: string): Promise<void> {
    const session = await this.current(hashOfCookie(cookie));
    if (session === undefined) throw ended();
    if (await this.known.note(session, request)) return;
    throw new AppError(
      'conflict',
      'the browser sent this twice, because its connection was lost: the second is refused; look at what came of the first',
    );
  }

  /** Whether the session has not ended since its last request: a stream that it opened is no use of it. */
  async lasts(cookie: string): Promise<boolean> {
    return (await this.current(hashOfCookie(cookie))) !== undefined;
  }

  /** Ends a session. One that is unknown has ended. */
  async end(cookie: string): Promise<void> {
    const session = await this.known.read(hashOfCookie(cookie));
    if (session !== undefined) await this.known.remove(session);
  }

  /** The session, unless it has expired. */
  private async current(hash: Buffer): Promise<OpenPortalSession | undefined> {
    const known = await this.known.find(hash);
    if (known === undefined) return undefined;
    const now = this.clock.now();
    const idleMs = this.settings.idleMinutes * 60_000 + TOUCHED_EVERY_MS;
    const isIdle = ({ usedAt }: OpenPortalSession): boolean => now - usedAt > idleMs;
    // Another gateway may have had its last request.
    const session = isIdle(known) ? await this.known.read(hash) : known;
    if (session !== undefined && !isIdle(session) && now < session.expiresAt) return session;
    await this.known.remove(known);
    return undefined;
  }

  private async personOf(session: OpenPortalSession, hash: Buffer, address: string): Promise<Principal> {
    try {
      const isDue = this.clock.now() >= session.renewAt;
      const bearer = isDue ? await this.renewal.renewed(session, hash) : session.accessToken;
      const person = await this.authenticator.identify({ bearer, address });
      if (person.userId === session.userId) return person;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unauthenticated') throw error;
    }
    await this.known.remove(session);
    throw ended();
  }
}

function ended(): AppError {
  return new AppError('unauthenticated', 'the sign-in at the portal has ended; sign in again');
}
