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

/** A view with the version of what it shows; the version travels in `ETag`, not in the body. */
export interface Versioned<T> {
  readonly version: number;
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

/** In the API description: the answers of the operation bear an `ETag`. */
export const DESCRIBED_ETAG = 'x-etag';

@Injectable()
class TagInterceptor implements NestInterceptor<object, object> {
  intercept(context: ExecutionContext, next: CallHandler<object>): Observable<object> {
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      tap((answer) => {
        // Warnings are of a change, not of what was changed.
        const { warnings: _, ...view } = answer as { warnings?: unknown };
        response.setHeader('ETag', entityTag(view));
      }),
    );
  }
}

/** The route answers with a view whose `ETag` header is the `tagOf` it. */
export function AnswersWithTag(): MethodDecorator {
  return applyDecorators(UseInterceptors(TagInterceptor), ApiExtension(DESCRIBED_ETAG, true));
}

/** The route answers with a `Versioned` view: the body is the view, the `ETag` header its version. */
export function AnswersWithETag(): MethodDecorator {
  return applyDecorators(UseInterceptors(VersionInterceptor), ApiExtension(DESCRIBED_ETAG, true));
}
