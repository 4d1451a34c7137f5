import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request } from 'express';
import { AppError } from '../kernel/app-error';

/** A strong entity tag (RFC 9110, section 8.8.3) for the version of a resource. */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/** The tags of `If-Match` (RFC 9110, section 13.1.1); undefined when the header is absent or `*`: last write wins. */
export type ExpectedVersion = readonly string[] | undefined;

export const IfMatch = createParamDecorator((_: unknown, context: ExecutionContext): ExpectedVersion => {
  const header = context.switchToHttp().getRequest<Request>().headers['if-match'];
  if (header === undefined || header.trim() === '*') return undefined;
  return header.split(',').map((tag) => tag.trim());
});

export function ApiIfMatch(): MethodDecorator {
  return ApiHeader({
    name: 'If-Match',
    required: false,
    description:
      'The `ETag` that was read; the update is refused with 412 when the resource has changed since.',
    schema: { type: 'string', example: '"3"' },
  });
}

/** @throws AppError `precondition_failed` when somebody else changed the resource since the caller read it. */
export function requireVersion(current: number, expected: ExpectedVersion): void {
  if (expected === undefined || expected.includes(etagOf(current))) return;
  throw new AppError('precondition_failed', 'the resource has changed since you read it; read it again');
}
