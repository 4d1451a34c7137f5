import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { FailedCredentials } from '../../auth/tokens/failed-credentials';
import { isScimToken } from '../../auth/tokens/scim-token-start';
import { ScimSettings } from '../../../platform/config/groups';
import { AppError } from '../../../kernel/app-error';
import type { Principal } from '../../../kernel/principal';
import { ScimTokens } from '../tokens/scim-tokens';

const BEARER = /^Bearer +([\w-]{1,256}) *$/i;
/** Number of first characters of a token by which failures are counted; the rest of the token is not kept. */
const COUNTED_CHARACTERS = 12;

/** Identifies a provider by its SCIM token only. API keys, cookies and tokens of users are refused. */
@Injectable()
export class ScimAuthentication {
  private readonly limiter: RateLimiterMemory;

  constructor(
    private readonly tokens: ScimTokens,
    private readonly failures: FailedCredentials,
    settings: ScimSettings,
  ) {
    this.limiter = new RateLimiterMemory({ points: settings.requestsPerMinute, duration: 60 });
  }

  /** @throws AppError `unauthenticated`, `too_many_requests` */
  async identify(request: Request): Promise<Principal> {
    const bearer = BEARER.exec(request.headers.authorization ?? '')?.[1];
    if (bearer === undefined) throw new AppError('unauthenticated', 'the request has no SCIM token');
    const attempt = { address: request.ip ?? '', subject: bearer.slice(0, COUNTED_CHARACTERS) };
    this.failures.check(attempt);
    const principal = isScimToken(bearer) ? await this.tokens.identify(bearer) : undefined;
    if (principal === undefined) {
      await this.failures.failed(attempt);
      throw new AppError('unauthenticated', 'this is no SCIM token, or it has expired or was revoked');
    }
    await this.limit(principal.userId);
    return principal;
  }

  private async limit(tokenId: string): Promise<void> {
    try {
      await this.limiter.consume(tokenId);
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      const seconds = Math.max(Math.ceil(refused.msBeforeNext / 1000), 1);
      throw new AppError('too_many_requests', `too many requests, try again in ${seconds} seconds`, {
        retryAfterSeconds: seconds,
      });
    }
  }
}
