import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { traceparentFor } from '../../../kernel/runtime/trace-context';

/**
 * The trace context of a request (W3C), or undefined. It is not in the API description, because every route
 * accepts it. A malformed value is ignored, as the standard requires.
 */
export const Traceparent = createParamDecorator((_: unknown, context: ExecutionContext): string | undefined =>
  traceparentFor(context.switchToHttp().getRequest<Request>().headers),
);
