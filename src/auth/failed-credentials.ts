import { Injectable } from '@nestjs/common';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { Settings } from '../config/settings';
import { AppError } from '../kernel/app-error';

const WINDOW_SECONDS = 60;

/**
 * Counts bad credentials by network address, so that guessing is slow and cannot be used to flood the
 * identity provider. Kept in memory: each gateway counts for itself.
 */
@Injectable()
export class FailedCredentials {
  private readonly limiter: RateLimiterMemory;

  constructor(private readonly settings: Settings) {
    this.limiter = new RateLimiterMemory({
      points: settings.FAILED_CREDENTIALS_PER_MINUTE,
      duration: WINDOW_SECONDS,
    });
  }

  /** @throws AppError `too_many_requests` for an address that has failed too often. */
  async check(address: string): Promise<void> {
    const count = await this.limiter.get(address);
    if (count === null || count.consumedPoints < this.settings.FAILED_CREDENTIALS_PER_MINUTE) return;
    const seconds = Math.ceil(count.msBeforeNext / 1000);
    throw new AppError('too_many_requests', `too many bad credentials, try again in ${seconds} seconds`, {
      retryAfterSeconds: seconds,
    });
  }

  async count(address: string): Promise<void> {
    await this.limiter.penalty(address);
  }
}
