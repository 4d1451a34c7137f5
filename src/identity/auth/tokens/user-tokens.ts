import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../../kernel/async/clock';
import type { Principal } from '../../../kernel/principal';
import { AccessTokenVerifier } from './access-token-verifier';
import { UserSignIn } from '../sign-in/user-sign-in';
import { UsersService } from '../users/users.service';
import { entriesAtMost } from '../../../kernel/runtime/entries-at-most';

const CACHED_TOKENS = 20_000;

/**
 * Finds the users of access tokens. Verified tokens are cached by their hash until they expire. Whether the
 * user is active, and in which groups, is checked every time.
 */
@Injectable()
export class UserTokens {
  private readonly verified = new LRUCache<string, string>(entriesAtMost(CACHED_TOKENS));

  constructor(
    private readonly verifier: AccessTokenVerifier,
    private readonly signIns: UserSignIn,
    private readonly users: UsersService,
    private readonly clock: Clock,
  ) {}

  /** Returns the user of a cached token; undefined when the token is not cached. */
  async cached(token: string): Promise<Principal | undefined> {
    const userId = this.verified.get(fingerprint(token));
    return userId === undefined ? undefined : this.users.principal(userId);
  }

  /**
   * Verifies a token, signs its user in, and caches the token.
   * @throws AppError the errors of `AccessTokenVerifier.verify`
   */
  async verify(token: string): Promise<Principal> {
    // Reads the time before the request, because answers can arrive out of order. The claims of the later
    // request are newer.
    const askedAt = this.clock.now();
    const { claims, cacheForMs } = await this.verifier.verify(token);
    const userId = await this.signIns.signIn(claims, askedAt, token);
    if (cacheForMs > 0) this.verified.set(fingerprint(token), userId, { ttl: cacheForMs });
    return this.users.principal(userId);
  }
}

/** The key of a token in caches and counters. */
export function fingerprint(token: string): string {
  return hash('sha256', token, 'base64');
}
