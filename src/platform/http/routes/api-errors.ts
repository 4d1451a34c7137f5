import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiResponse } from '@nestjs/swagger';

/** Every error status, and its meaning on all routes. */
export const meanings = {
  400: 'Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have.',
  401: 'No credential, a bad or expired one, or an inactive user.',
  403: 'Signed in, but not allowed.',
  404: 'Not found in the organization of the caller.',
  405: 'The path does not support this method; `Allow` lists those it supports.',
  408: 'The request did not arrive in time.',
  409: 'A resource with this name already exists, or its state does not allow the change.',
  412: 'The resource has changed since the caller read it (`If-Match`).',
  413: 'The request body is too large.',
  415: 'The content type or encoding of the request body is not supported.',
  417: 'The request has an `Expect` header other than `100-continue`.',
  422: 'The request is well-formed but breaks a rule of the resource.',
  429: 'Too many requests; see Retry-After.',
  431: 'The headers of the request are too large.',
  500: 'Internal failure.',
  503: 'A service that the gateway depends on cannot be reached.',
} as const;

export type ErrorStatus = keyof typeof meanings;

/** Real messages of the gateway: `test/http/error-examples.e2e-spec.ts` causes each error and compares. */
const examples: Record<ErrorStatus, string> = {
  400: 'id must be a UUID',
  401: 'sign in first: the request has no bearer token',
  403: 'this needs the admin group',
  404: 'there is no guardrail with this id',
  405: 'this route supports GET, HEAD, POST, not PATCH',
  408: 'the request took too long to arrive',
  409: 'a guardrail named customer data already exists',
  412: 'the resource has changed since you read it; read it again',
  413: 'the request body is larger than 1 MiB',
  415: 'the request body must be sent as Content-Type: application/json',
  417: 'the gateway supports no expectation except 100-continue',
  422: 'name must be longer than or equal to 1 characters',
  429: 'too many bad credentials, try again in 60 seconds',
  431: 'the path and the headers of the request are larger than 16 KiB',
  500: 'internal error',
  503: 'the database cannot be reached, try again shortly',
};

/** The body of every error answer (specification, section 2.5). */
export class ErrorBody {
  @ApiProperty({ description: 'The error in one plain sentence.', example: examples[404] })
  message!: string;
}

export function errorExample(status: ErrorStatus): ErrorBody {
  return { message: examples[status] };
}

/** Documents error answers of a route; all have the same body. */
export function ApiErrors(...statuses: ErrorStatus[]): MethodDecorator {
  return applyDecorators(
    ...statuses.map((status) =>
      ApiResponse({
        status,
        description: meanings[status],
        type: ErrorBody,
        example: errorExample(status),
      }),
    ),
  );
}
