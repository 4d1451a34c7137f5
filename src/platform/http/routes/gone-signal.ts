import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';

/** A signal that aborts when the client has gone before it got its whole answer. */
export const GoneSignal = createParamDecorator((_data: undefined, context: ExecutionContext): AbortSignal => {
  const response = context.switchToHttp().getResponse<Response>();
  const gone = new AbortController();
  const closed = (): void => {
    if (!response.writableFinished) gone.abort();
  };
  if (response.closed) closed();
  else response.once('close', closed);
  return gone.signal;
});
