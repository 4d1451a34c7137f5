import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type Attempt, Authenticator, type Credential } from '../../../gate/ports/authenticator';
import { AppError } from '../../../kernel/app-error';
import type { Principal } from '../../../kernel/principal';
import { Semaphore } from '../../../kernel/async/semaphore';
import { isJwt } from './access-token-verifier';
import { ApiKeysService, isApiKey } from '../users/api-keys.service';
import { FailedCredentials } from './failed-credentials';
import { IdentityProviderClient } from '../provider/identity-provider.client';
import { ResourceTokens, isResourceToken } from './resource-tokens';
import { isScimToken } from './scim-token-start';
import { UserTokens, fingerprint } from './user-tokens';
import { entriesAtMost } from '../../../kernel/runtime/entries-at-most';

/** Approximate maximum of concurrent provider checks of opaque tokens from one noisy address (`isNoisy`). */
const ASKED_AT_ONCE = 4;
/**
 * Number of first characters of a token by which failures are counted. In an API key they are `gwk_` and 8
 * base64url digits, which are 48 random bits.
 */
const BEGINNING = 12;

/**
 * Authenticates people by access tokens, and machines by API keys. Also accepts the access tokens of MCP
 * clients that act for people. Limits guesses.
 */
@Injectable()
export class TokenAuthenticator extends Authenticator {
  /** Semaphores of noisy addresses, which sent too many bad tokens (`isNoisy`). */
  private readonly semaphores = new LRUCache<string, Semaphore>(entriesAtMost(10_000));

  constructor(
    private readonly users: UserTokens,
    private readonly keys: ApiKeysService,
    private readonly provider: IdentityProviderClient,
    private readonly failures: FailedCredentials,
    private readonly resourceTokens: ResourceTokens,
  ) {
    super();
  }

  async identify({ bearer, address, resource }: Credential): Promise<Principal> {
    if (isScimToken(bearer)) return this.refuseScimToken(bearer, address);
    if (isResourceToken(bearer)) return this.identifyClient(bearer, address, resource);
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

  /** Never queries the identity provider, which must not see tokens of the gateway. */
  private async identifyClient(
    bearer: string,
    address: string,
    resource: string | undefined,
  ): Promise<Principal> {
    const attempt = { address, subject: beginningOf(bearer) };
    this.failures.check(attempt);
    return this.counting(attempt, () => this.resourceTokens.identify(bearer, resource));
  }

  /** Refuses a SCIM token without querying the identity provider, which must not see it. */
  private async refuseScimToken(bearer: string, address: string): Promise<Principal> {
    const attempt = { address, subject: beginningOf(bearer) };
    this.failures.check(attempt);
    return this.counting(attempt, () =>
      Promise.reject(new AppError('unauthenticated', 'a SCIM token is good for SCIM only')),
    );
  }

  private async identifyUser(bearer: string, address: string): Promise<Principal> {
    const known = await this.users.cached(bearer);
    if (known !== undefined) return known;

    // Counts failures by the whole token, because all tokens of a provider may begin with the same text.
    const attempt = { address, subject: fingerprint(bearer) };
    this.failures.check(attempt);
    return this.limited(attempt, bearer, () => this.counting(attempt, () => this.users.verify(bearer)));
  }

  /**
   * Limits requests to the provider, which are needed for every unknown opaque token. For an address with too
   * many bad tokens, only a few requests run concurrently, so that guesses cannot flood the provider. Good
   * tokens from that address wait too, but are accepted.
   */
  private async limited<T>({ address }: Attempt, bearer: string, work: () => Promise<T>): Promise<T> {
    if (isJwt(bearer) || !(await this.failures.isNoisy(address))) return work();
    const semaphore = this.semaphores.get(address) ?? new Semaphore(ASKED_AT_ONCE);
    this.semaphores.set(address, semaphore);
    return semaphore.run(work);
  }

  /** Counts a bad credential. After too many, the caller gets `too_many_requests` instead of the error. */
  private async counting(attempt: Attempt, identify: () => Promise<Principal>): Promise<Principal> {
    try {
      return await identify();
    } catch (error) {
      if (error instanceof AppError && error.code === 'unauthenticated') await this.failures.failed(attempt);
      throw error;
    }
  }
}

/** Returns the first characters of a token, but at most half of it, so that no whole token is stored. */
function beginningOf(bearer: string): string {
  return bearer.slice(0, Math.min(BEGINNING, Math.ceil(bearer.length / 2)));
}
