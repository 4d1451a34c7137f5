import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import type { Response } from 'express';
import { type Observable, map } from 'rxjs';
import { etagOf } from './versions';

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

/** The route answers with a `Versioned` view: the body is the view, the `ETag` header its version. */
export function AnswersWithETag(): MethodDecorator {
  return UseInterceptors(VersionInterceptor);
}
