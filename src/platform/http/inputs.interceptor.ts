import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { HttpSettings } from '../config/groups';
import { PLAIN_BODY_MB } from './body/bounds';
import { readBody, refuseBody } from './body/read-body';
import { takesLongText } from './body/takes-long-text';
import { checkQuery } from './query';
import { routeInputs } from './routes/route-inputs';

/**
 * Checks the query, and reads the body if the route takes one. Guards run before this interceptor, so the
 * body of a caller without permission is not read. Pipes run after it and get the result.
 */
@Injectable()
export class InputsInterceptor implements NestInterceptor {
  constructor(private readonly settings: HttpSettings) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const handler = context.getHandler();
    const inputs = routeInputs(context.getClass(), handler);
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    checkQuery(request.originalUrl, inputs.query);
    if (inputs.takesBody) {
      const limit = takesLongText(handler) ? this.settings.bodyLimitMb : PLAIN_BODY_MB;
      request.body = await readBody(request, http.getResponse<Response>(), limit);
    } else refuseBody(request);
    return next.handle();
  }
}
