import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  UseInterceptors,
  applyDecorators,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { type Observable, tap } from 'rxjs';
import { HttpSettings } from '../../config/groups';

const NAMED_BY = 'field that names what was created';

@Injectable()
class LocationInterceptor implements NestInterceptor<object, object> {
  constructor(private readonly settings: HttpSettings) {}

  intercept(context: ExecutionContext, next: CallHandler<object>): Observable<object> {
    const http = context.switchToHttp();
    const response = http.getResponse<Response>();
    const field = Reflect.getMetadata(NAMED_BY, context.getHandler()) as string;
    return next.handle().pipe(
      tap((answer) => {
        const view = ('view' in answer ? answer.view : answer) as Record<string, unknown>;
        // The route may also answer 202, when nothing was created yet.
        if (response.statusCode === 201)
          response.setHeader('Location', this.placeOf(http.getRequest(), String(view[field])));
      }),
    );
  }

  private placeOf({ originalUrl }: Request, name: string): string {
    if (URL.canParse(name)) return name;
    return `${this.settings.apiUrl}${originalUrl.split('?')[0]}/${encodeURIComponent(name)}`;
  }
}

/**
 * For 201 answers, sets `Location` from this field of the answer, which holds the resource's name, id or URL.
 */
export function CreatesAt(field: string): MethodDecorator {
  return applyDecorators(SetMetadata(NAMED_BY, field), UseInterceptors(LocationInterceptor));
}
