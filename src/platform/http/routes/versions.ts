import { createHash } from 'node:crypto';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request } from 'express';
import { AppError } from '../../../kernel/app-error';

/** A strong entity tag (RFC 9110, section 8.8.3) for the version of a resource. */
export function etagOf(version: number | string): string {
  return `"${version}"`;
}

/**
 * Returns the strong entity tag of a resource without versions: a hash of its view.
 */
export function entityTag(view: object): string {
  return `"${createHash('sha256').update(JSON.stringify(view, inOrder)).digest('base64url')}"`;
}

/** Sorts the keys of objects, because PostgreSQL does not keep the key order of a stored object. */
function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * The tags of `If-Match` (RFC 9110, section 13.1.1). Undefined when the header is absent or `*`; then the
 * last write wins.
 */
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

/** @throws AppError `precondition_failed` when the resource changed since the caller read it. */
export function requireVersion(current: number | string, expected: ExpectedVersion): void {
  requireTag(etagOf(current), expected);
}

/** Does the check of `requireVersion` for a resource whose tag is the `entityTag` of its view. */
export function requireUnchanged(view: object, expected: ExpectedVersion): void {
  if (expected !== undefined) requireTag(entityTag(view), expected);
}

function requireTag(current: string, expected: ExpectedVersion): void {
  if (expected === undefined || expected.includes(current)) return;
  throw new AppError('precondition_failed', 'the resource has changed since you read it; read it again');
}
