import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { AppError } from '../../../kernel/app-error';
import { Clock } from '../../../kernel/async/clock';
import { IdentityProviderClient, type ProviderTokens } from '../provider/identity-provider.client';
import { type OpenPortalSession, PortalSessionRows } from './portal-session-rows';

/** Lifetime of an access token for which the provider states none. */
const UNKNOWN_LIFETIME_SECONDS = 3_600;
/** Tokens are renewed this long before they expire, so that a request in progress is not refused. */
const RENEWED_BEFORE_MS = 30_000;
/** Maximum time that a request waits for a renewal by another gateway, and the interval of its checks. */
const WAITED_MS = 20_000;
const LOOK_MS = 200;

/**
 * Renews the tokens of portal sessions, once for all tabs and gateways, because many providers accept a
 * refresh token only once.
 */
@Injectable()
export class PortalTokenRenewal {
  private readonly running = new Map<string, Promise<string>>();

  constructor(
    private readonly rows: PortalSessionRows,
    private readonly provider: IdentityProviderClient,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the time at which the new tokens must be renewed. Without a refresh token, returns the time at
   * which the person must sign in again. Milliseconds since 1970.
   */
  dueAt({ expiresIn = UNKNOWN_LIFETIME_SECONDS, refreshToken }: ProviderTokens): number {
    const lifetime = expiresIn * 1000;
    const before = refreshToken === undefined ? 0 : Math.min(RENEWED_BEFORE_MS, lifetime / 2);
    return this.clock.now() + lifetime - before;
  }

  /**
   * Returns a new access token.
   * @throws AppError `unauthenticated` when the person must sign in again; `unavailable` when a later attempt
   * may succeed
   */
  renewed(session: OpenPortalSession, hash: Buffer): Promise<string> {
    const running = this.running.get(session.id);
    if (running !== undefined) return running;
    const renewed = this.renew(session, hash).finally(() => this.running.delete(session.id));
    this.running.set(session.id, renewed);
    return renewed;
  }

  private async renew(session: OpenPortalSession, hash: Buffer): Promise<string> {
    const until = performance.now() + WAITED_MS;
    while (performance.now() < until) {
      const lease = await this.rows.takeLease(session);
      const current = await this.rows.find(hash);
      if (current === undefined) throw new AppError('unauthenticated', 'the session has ended');
      const isRenewed = this.clock.now() < current.renewAt;
      if (isRenewed && lease !== undefined) await this.rows.giveUp(current, lease);
      if (isRenewed) return current.accessToken;
      if (lease !== undefined) return this.renewUnder(current, lease);
      await pause(LOOK_MS);
    }
    throw new AppError('unavailable', 'the sign-in could not be renewed in time, try again shortly', {
      retryAfterSeconds: 5,
    });
  }

  private async renewUnder(session: OpenPortalSession, lease: string): Promise<string> {
    try {
      if (session.refreshToken === undefined)
        throw new AppError('unauthenticated', 'there is no refresh token');
      const tokens = await this.provider.refresh(session.refreshToken);
      await this.rows.renew(session, lease, tokens, this.dueAt(tokens));
      return tokens.accessToken;
    } catch (error) {
      await this.rows.giveUp(session, lease);
      throw error;
    }
  }
}
