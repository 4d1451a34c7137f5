import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { SignInSettings } from '../../../platform/config/groups';
import type { Attempt } from '../../../gate/ports/authenticator';
import { AppError } from '../../../kernel/app-error';
import { entriesAtMost } from '../../../kernel/runtime/entries-at-most';

const WINDOW_SECONDS = 60;
/**
 * Maximum number of names and tokens for which failures of the last minute are counted, about 200 bytes each.
 * Beyond it, the least recently used are dropped.
 */
const REMEMBERED = 50_000;

/**
 * Counts bad credentials per minute, by network address and by name or token. A name or token that failed too
 * often from an address is refused there without a check. Other credentials from an address with many
 * failures are still checked: good ones are accepted, and bad ones get 429. The counts are in memory,
 * separately in each process.
 */
@Injectable()
export class FailedCredentials {
  private readonly ofAddress: RateLimiterMemory;
  private readonly ofSubject = new LRUCache<string, number>({
    ...entriesAtMost(REMEMBERED),
    ttl: WINDOW_SECONDS * 1000,
    noUpdateTTL: true,
  });
  private readonly limit: number;

  constructor(settings: SignInSettings) {
    this.limit = settings.failedCredentialsPerMinute;
    this.ofAddress = new RateLimiterMemory({ points: this.limit, duration: WINDOW_SECONDS });
  }

  /**
   * Must be called before a secret is checked.
   * @throws AppError `too_many_requests` when the name or token failed too often from that address
   */
  check(attempt: Attempt): void {
    const key = keyOf(attempt);
    if ((this.ofSubject.get(key) ?? 0) < this.limit) return;
    throw tooMany(this.ofSubject.getRemainingTTL(key));
  }

  /**
   * Counts a bad credential. @throws AppError `too_many_requests` when its
   * address had too many failures before.
   */
  async failed(attempt: Attempt): Promise<void> {
    const key = keyOf(attempt);
    this.ofSubject.set(key, (this.ofSubject.get(key) ?? 0) + 1);
    const { consumedPoints, msBeforeNext } = await this.ofAddress.penalty(attempt.address);
    if (consumedPoints > this.limit) throw tooMany(msBeforeNext);
  }

  /**
   * Whether the address has had too many failures. Its requests may then be delayed, but must not be refused
   * for this reason alone.
   */
  async isNoisy(address: string): Promise<boolean> {
    return ((await this.ofAddress.get(address))?.consumedPoints ?? 0) >= this.limit;
  }
}

function keyOf({ address, subject }: Attempt): string {
  return `${address} ${subject}`;
}

function tooMany(forMilliseconds: number): AppError {
  const seconds = Math.max(Math.ceil(forMilliseconds / 1000), 1);
  return new AppError('too_many_requests', `too many bad credentials, try again in ${seconds} seconds`, {
    retryAfterSeconds: seconds,
  });
}
