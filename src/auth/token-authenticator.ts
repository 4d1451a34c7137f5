import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Settings } from '../config/settings';
import { Authenticator, type Credential } from '../gate/ports/authenticator';
import { AppError } from '../kernel/app-error';
import { Clock } from '../kernel/clock';
import type { Principal } from '../kernel/principal';
import { ApiKeysService, isApiKey } from './api-keys.service';
import { type Claims, type Profile, hasOverage, joinClaims, profileOf } from './claims';
import { FailedCredentials } from './failed-credentials';
import { IdentityProviderClient } from './identity-provider.client';
import { JwtStrategy } from './jwt.strategy';
import { UsersService } from './users.service';

const CACHED_TOKENS = 20_000;
/** How long the provider's answer about an opaque token is believed. */
const OPAQUE_BELIEVED_MS = 60_000;

/**
 * Bearer tokens: a JWT is checked against the provider's keys, an opaque token by asking userinfo. What
 * has been checked once is remembered by the token's hash until it expires; whether its user is still
 * active, and in which groups, is asked every time.
 */
@Injectable()
export class TokenAuthenticator extends Authenticator {
  private readonly log = new Logger(TokenAuthenticator.name);
  private readonly verified = new LRUCache<string, string>({ max: CACHED_TOKENS });

  constructor(
    private readonly users: UsersService,
    private readonly jwt: JwtStrategy,
    private readonly provider: IdentityProviderClient,
    private readonly keys: ApiKeysService,
    private readonly failures: FailedCredentials,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {
    super();
  }

  async identify({ bearer, address }: Credential): Promise<Principal> {
    return isApiKey(bearer) ? this.identifyMachine(bearer, address) : this.identifyUser(bearer, address);
  }

  async refuseGuesser(address: string): Promise<void> {
    await this.failures.check(address);
  }

  async failed(address: string): Promise<void> {
    await this.failures.count(address);
  }

  private async identifyMachine(bearer: string, address: string): Promise<Principal> {
    if (!this.keys.knows(bearer)) await this.failures.check(address);
    return this.counting(address, () => this.keys.identify(bearer));
  }

  private async identifyUser(bearer: string, address: string): Promise<Principal> {
    const hash = createHash('sha256').update(bearer).digest('base64');
    const known = this.verified.get(hash);
    if (known !== undefined) return this.users.principal(known);

    await this.failures.check(address);
    // Before the provider is asked: of two answers that cross, the later question's is the newer one.
    const askedAt = this.clock.now();
    return this.counting(address, async () => {
      const { claims, believeForMs } = await this.verify(bearer);
      const userId = await this.users.signIn(await this.profile(claims, bearer, askedAt));
      if (believeForMs > 0) this.verified.set(hash, userId, { ttl: believeForMs });
      return this.users.principal(userId);
    });
  }

  /** A credential that turns out bad counts against its address. */
  private async counting(address: string, identify: () => Promise<Principal>): Promise<Principal> {
    try {
      return await identify();
    } catch (error) {
      if (error instanceof AppError && error.code === 'unauthenticated') await this.failures.count(address);
      throw error;
    }
  }

  /** Signs in the person whom claims name, as a login does. Returns the user's id. */
  async signIn(claims: Claims): Promise<string> {
    return this.users.signIn(await this.profile(claims, undefined, this.clock.now()));
  }

  private async verify(bearer: string): Promise<{ claims: Claims; believeForMs: number }> {
    if (bearer.split('.').length === 3) {
      const claims = await this.jwt.verify(bearer);
      return { claims, believeForMs: Number(claims['exp']) * 1000 - this.clock.now() };
    }
    return { claims: await this.provider.userinfo(bearer), believeForMs: OPAQUE_BELIEVED_MS };
  }

  /** Completes thin access tokens from userinfo: many providers put neither profile nor groups into them. */
  private async profile(claims: Claims, accessToken: string | undefined, askedAt: number): Promise<Profile> {
    const { IDP_GROUPS_CLAIM: claim, IDP_GROUPS_AUTHORITATIVE: authoritative } = this.settings;
    const ofRoles = [this.settings.ADMIN_GROUP, this.settings.AUDITOR_GROUP];
    let all = claims;
    let couldAsk = true;
    const thin = claims['email'] === undefined || (authoritative && claims[claim] === undefined);
    if (thin && accessToken !== undefined) {
      const more = await this.provider
        .userinfo(accessToken, String(claims['sub']))
        .catch((error: unknown) => {
          this.log.debug({ err: error }, 'userinfo had nothing to add');
          couldAsk = !(error instanceof AppError && error.code === 'unavailable');
          return {};
        });
      all = joinClaims(claims, more);
    }
    const profile = profileOf(all, { claim, ofRoles }, askedAt);
    if (hasOverage(all, claim)) {
      this.log.warn(`The groups of ${profile.subject} exceed the token (overage); they stay as they are`);
      return { ...profile, groups: undefined };
    }
    // Silence of the provider is not its word: nobody loses groups because it could not be asked.
    const saysNone = authoritative && couldAsk && all[claim] === undefined;
    return saysNone ? { ...profile, groups: [] } : profile;
  }
}
