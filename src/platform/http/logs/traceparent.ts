import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { traceparentFor } from '../../../kernel/runtime/trace-context';

/**
 * The trace context of a request (W3C), or undefined. It is no parameter of the API: every route may be sent
 * one, and a malformed one is ignored, as the standard demands.
 */
export const Traceparent = createParamDecorator((_: unknown, context: ExecutionContext): string | undefined =>
  traceparentFor(context.switchToHttp().getRequest<Request>().headers),
);
