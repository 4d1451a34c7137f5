import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
  applyDecorators,
} from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { Response } from 'express';
import { type Observable, map, tap } from 'rxjs';
import { etagOf, entityTag } from './versions';

/** A view with its version, which is sent in `ETag` and not in the body. */
export interface Versioned<T> {
  /** A counter, or a hash in hex. */
  readonly version: number | string;
  readonly view: T;
}

@Injectable()
class VersionInterceptor implements NestInterceptor<Versioned<object>, object> {
  intercept(context: ExecutionContext, next: CallHandler<Versioned<object>>): Observable<object> {
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      map(({ version, view }) => {
        response.setHeader('ETag', etagOf(version));
        return view;
      }),
    );
  }
}

/** Extension of the API description: the operation's answers have an `ETag`. */
export const DESCRIBED_ETAG = 'x-etag';

@Injectable()
class TagInterceptor implements NestInterceptor<object, object> {
  intercept(context: ExecutionContext, next: CallHandler<object>): Observable<object> {
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      tap((answer) => {
        // The tag ignores warnings, because they belong to a change and not to the resource.
        const { warnings: _, ...view } = answer as { warnings?: unknown };
        response.setHeader('ETag', entityTag(view));
      }),
    );
  }
}

/** Sets `ETag` to the `entityTag` of the view. */
export function AnswersWithTag(): MethodDecorator {
  return applyDecorators(UseInterceptors(TagInterceptor), ApiExtension(DESCRIBED_ETAG, true));
}

/** For routes that answer with a `Versioned` view: the body is the view, and the `ETag` is its version. */
export function AnswersWithETag(): MethodDecorator {
  return applyDecorators(UseInterceptors(VersionInterceptor), ApiExtension(DESCRIBED_ETAG, true));
}
