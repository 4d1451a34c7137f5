import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type Observable, mergeMap } from 'rxjs';
import { ChangeFeed } from '../../database/feed/change-feed';
import type { ChangingRequest } from './change';

/**
 * Delays the answer to a change until the change feed has updated the caches of this process. Otherwise the
 * caller's next request could use a revoked key or miss a new rule. Other processes follow within a second.
 */
@Injectable()
export class OwnChangesInterceptor implements NestInterceptor {
  constructor(private readonly feed: ChangeFeed) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { change } = context.switchToHttp().getRequest<ChangingRequest>();
    return next.handle().pipe(
      mergeMap(async (answer: unknown) => {
        if (change?.isRecorded === true) await this.feed.caughtUp();
        return answer;
      }),
    );
  }
}
