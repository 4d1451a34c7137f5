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

/** The field of an answer that names what was created. `isUrl`: its value is the URL. */
interface NamingField {
  readonly field: string;
  readonly isUrl: boolean;
}

@Injectable()
class LocationInterceptor implements NestInterceptor<object, object> {
  constructor(private readonly settings: HttpSettings) {}

  intercept(context: ExecutionContext, next: CallHandler<object>): Observable<object> {
    const http = context.switchToHttp();
    const response = http.getResponse<Response>();
    const { field, isUrl } = Reflect.getMetadata(NAMED_BY, context.getHandler()) as NamingField;
    return next.handle().pipe(
      tap((answer) => {
        const view = ('view' in answer ? answer.view : answer) as Record<string, unknown>;
        // The route may also answer 202, without a created resource.
        if (response.statusCode !== 201) return;
        const name = String(view[field]);
        response.setHeader('Location', isUrl ? name : this.placeOf(http.getRequest(), name));
      }),
    );
  }

  private placeOf({ originalUrl }: Request, name: string): string {
    const path = originalUrl.split('?', 1)[0]?.replace(/\/$/, '') ?? '';
    return `${this.settings.apiUrl}${path}/${encodeURIComponent(name)}`;
  }
}

/**
 * For 201 answers, sets `Location` from this field of the answer: the name or id of the resource, or with
 * `isUrl` its URL.
 */
export function CreatesAt(field: string, { isUrl = false } = {}): MethodDecorator {
  const named: NamingField = { field, isUrl };
  return applyDecorators(SetMetadata(NAMED_BY, named), UseInterceptors(LocationInterceptor));
}
