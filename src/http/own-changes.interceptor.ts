import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type Observable, mergeMap } from 'rxjs';
import { ChangeFeed } from '../database/change-feed';
import type { ChangingRequest } from './change';

/**
 * Answers a change only when the caches of this process know of it: the next request of the same caller must not be
 * answered as if a key were not revoked, or a rule not made. Other processes know within a second.
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
