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

/** Maximum lifetime of a session. Then the person must sign in again, even while active. */
const LIFETIME_MS = 24 * 3_600_000;
/** Minimum interval between two writes of the time of the last use. */
const TOUCHED_EVERY_MS = 30_000;

/**
 * Sessions of people who are signed in at the portal. The cookie is an opaque id. The identity provider's
 * tokens stay in the gateway, which identifies the person by the access token, as by a bearer token.
 *
 * A session ends when the person signs out, after `PORTAL_IDLE_MINUTES` without a request that the person
 * made, after a day, and when the provider or an admin ends the person's access.
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
   * Returns the person to whom a portal cookie belongs.
   * @param isUse whether the user made the request; pages also send requests by themselves
   * @throws AppError `unauthenticated` when the session is unknown or has ended; also the errors of
   * `Authenticator.identify`
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
   * Accepts a change that a page requests, once across all gateways. A browser that loses a connection
   * repeats unanswered requests by itself, even if the gateway received them.
   * @param request id of the change, which the page generated
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

  /** Whether the session has not ended. An open stream does not count as use of the session. */
  async lasts(cookie: string): Promise<boolean> {
    return (await this.current(hashOfCookie(cookie))) !== undefined;
  }

  /** Ends a session. Does nothing when the session is unknown, because it has already ended. */
  async end(cookie: string): Promise<void> {
    const session = await this.known.read(hashOfCookie(cookie));
    if (session !== undefined) await this.known.remove(session);
  }

  /** Returns the session; undefined when it is unknown or has expired. */
  private async current(hash: Buffer): Promise<OpenPortalSession | undefined> {
    const known = await this.known.find(hash);
    if (known === undefined) return undefined;
    const now = this.clock.now();
    const idleMs = this.settings.idleMinutes * 60_000 + TOUCHED_EVERY_MS;
    const isIdle = ({ usedAt }: OpenPortalSession): boolean => now - usedAt > idleMs;
    // Reads an idle session again, because another gateway may have received its last request.
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
