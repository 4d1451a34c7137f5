import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Settings } from '../config/settings';
import { type Attempt, Authenticator, type Credential } from '../gate/ports/authenticator';
import { AppError } from '../kernel/app-error';
import { Clock } from '../kernel/clock';
import type { Principal } from '../kernel/principal';
import { Semaphore } from '../kernel/semaphore';
import { ApiKeysService, isApiKey } from './api-keys.service';
import { type Claims, type Profile, hasOverage, joinClaims, profileOf } from './claims';
import { FailedCredentials } from './failed-credentials';
import { IdentityProviderClient } from './identity-provider.client';
import { JwtStrategy } from './jwt.strategy';
import { UsersService } from './users.service';

const CACHED_TOKENS = 20_000;
/** How long the provider's answer about an opaque token is cached. */
const OPAQUE_BELIEVED_MS = 60_000;
/** About how many opaque tokens from one noisy address are checked with the provider at once. */
const ASKED_AT_ONCE = 4;
/** Number of a token's characters by which failures are counted: 48 random bits of an API key. */
const BEGINNING = 12;

/**
 * Authenticates bearer tokens. A JWT is verified with the provider's keys, an opaque token by a userinfo request. Verified
 * tokens are cached by their hash until they expire. Whether the user is
 * active, and in which groups, is checked every time.
 */
@Injectable()
export class TokenAuthenticator extends Authenticator {
  private readonly log = new Logger(TokenAuthenticator.name);
  /** Semaphores of noisy addresses. */
  private readonly lanes = new LRUCache<string, Semaphore>({ max: 10_000 });
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

  probe(): Promise<void> {
    return this.provider.probe();
  }

  async refuseGuesser(attempt: Attempt): Promise<void> {
    this.failures.check(attempt);
  }

  async failed(attempt: Attempt): Promise<void> {
    await this.failures.failed(attempt);
  }

  private async identifyMachine(bearer: string, address: string): Promise<Principal> {
    const attempt = { address, subject: beginningOf(bearer) };
    if (!this.keys.knows(bearer)) this.failures.check(attempt);
    return this.counting(attempt, () => this.keys.identify(bearer));
  }

  private async identifyUser(bearer: string, address: string): Promise<Principal> {
    const hash = createHash('sha256').update(bearer).digest('base64');
    const known = this.verified.get(hash);
    if (known !== undefined) return this.users.principal(known);

    // All JWTs of a provider begin alike. They are always checked, because verifying a signature is cheap.
    const attempt = { address, subject: isJwt(bearer) ? hash : beginningOf(bearer) };
    this.failures.check(attempt);
    return this.inLane(attempt, bearer, () => this.checkUser(attempt, bearer, hash));
  }

  /**
   * The provider is asked about every unknown opaque token. For an address with too many bad tokens, only a few requests run at
   * once, so that guesses cannot flood the provider. Good tokens from there wait too, and are accepted.
   */
  private async inLane<T>({ address }: Attempt, bearer: string, work: () => Promise<T>): Promise<T> {
    if (isJwt(bearer) || !(await this.failures.isNoisy(address))) return work();
    const lane = this.lanes.get(address) ?? new Semaphore(ASKED_AT_ONCE);
    this.lanes.set(address, lane);
    return lane.run(work);
  }

  private async checkUser(attempt: Attempt, bearer: string, hash: string): Promise<Principal> {
    // Read before the request: of two answers that overtake each other, that of the later request is newer.
    const askedAt = this.clock.now();
    return this.counting(attempt, async () => {
      const { claims, believeForMs } = await this.verify(bearer);
      const userId = await this.users.signIn(await this.profile(claims, bearer, askedAt));
      if (believeForMs > 0) this.verified.set(hash, userId, { ttl: believeForMs });
      return this.users.principal(userId);
    });
  }

  /** Counts a bad credential; after too many, the caller is told that instead. */
  private async counting(attempt: Attempt, identify: () => Promise<Principal>): Promise<Principal> {
    try {
      return await identify();
    } catch (error) {
      if (error instanceof AppError && error.code === 'unauthenticated') await this.failures.failed(attempt);
      throw error;
    }
  }

  /** Signs in the person in the claims, as a login does. Returns the user's id. */
  async signIn(claims: Claims): Promise<string> {
    return this.users.signIn(await this.profile(claims, undefined, this.clock.now()));
  }

  private async verify(bearer: string): Promise<{ claims: Claims; believeForMs: number }> {
    if (isJwt(bearer)) {
      const claims = await this.jwt.verify(bearer);
      return { claims, believeForMs: Number(claims['exp']) * 1000 - this.clock.now() };
    }
    return { claims: await this.provider.userinfo(bearer), believeForMs: OPAQUE_BELIEVED_MS };
  }

  /** Adds missing claims from userinfo: many providers put neither profile nor groups into access tokens. */
  private async profile(claims: Claims, accessToken: string | undefined, askedAt: number): Promise<Profile> {
    const { groupsClaim: claim, groupsAuthoritative: authoritative } = this.settings.identityProvider;
    const ofRoles = [this.settings.roles.adminGroup, this.settings.roles.auditorGroup];
    let all = claims;
    let couldAsk = true;
    const thin = claims['email'] === undefined || (authoritative && claims[claim] === undefined);
    if (thin && accessToken !== undefined) {
      const more = await this.provider
        .userinfo(accessToken, String(claims['sub']))
        .catch((error: unknown) => {
          this.log.debug({ err: error }, 'userinfo could not be read');
          couldAsk = !(error instanceof AppError && error.code === 'unavailable');
          return {};
        });
      all = joinClaims(claims, more);
    }
    const profile = profileOf(all, { claim, ofRoles }, askedAt);
    if (hasOverage(all, claim)) {
      this.log.warn(
        `The groups of ${profile.subject} do not fit into the token (overage), so they are left unchanged`,
      );
      return { ...profile, groups: undefined };
    }
    // An unreachable provider must not clear groups.
    const saysNone = authoritative && couldAsk && all[claim] === undefined;
    return saysNone ? { ...profile, groups: [] } : profile;
  }
}

function isJwt(bearer: string): boolean {
  return bearer.split('.').length === 3;
}

/** At most half of a short token, so that the stored text is never a whole token. */
function beginningOf(bearer: string): string {
  return bearer.slice(0, Math.min(BEGINNING, Math.ceil(bearer.length / 2)));
}
