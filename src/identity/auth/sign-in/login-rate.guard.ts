import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { SignInSettings } from '../../../platform/config/groups';
import { AppError } from '../../../kernel/app-error';

/**
 * Limits `/login`, which writes a row, and `/callback`, which calls the
 * identity provider, by network address.
 */
@Injectable()
export class LoginRateGuard implements CanActivate {
  private readonly limiter: RateLimiterMemory;

  constructor(settings: SignInSettings) {
    this.limiter = new RateLimiterMemory({ points: settings.loginsPerMinute, duration: 60 });
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    try {
      await this.limiter.consume(context.switchToHttp().getRequest<Request>().ip ?? '');
      return true;
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      const seconds = Math.ceil(refused.msBeforeNext / 1000);
      throw new AppError('too_many_requests', `too many sign-ins, try again in ${seconds} seconds`, {
        retryAfterSeconds: seconds,
      });
    }
  }
}
