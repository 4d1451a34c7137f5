import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiResponse } from '@nestjs/swagger';

/** The body of every error answer (specification, section 2.5). */
export class ErrorBody {
  @ApiProperty({
    description: 'One plain sentence that describes the error.',
    example: 'guardrail not found',
  })
  message!: string;
}

/** Every status of an error, and what it means on each route. */
export const meanings = {
  400: 'Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have.',
  401: 'No credential, a bad or expired one, or an inactive user.',
  403: 'Signed in, but not allowed.',
  404: 'Not found in the organization of the caller.',
  405: 'The path does not know this method; `Allow` names those that it knows.',
  408: 'The request did not arrive in time.',
  409: 'A resource of that name exists, or its state forbids the change.',
  412: 'The resource has changed since the caller read it (`If-Match`).',
  413: 'The request body is larger than the gateway takes.',
  415: 'The content type or the encoding of the request body is not taken here.',
  417: 'The request has an `Expect` header other than `100-continue`.',
  422: 'Well-formed, but it breaks a rule of the resource.',
  429: 'Too many requests; see Retry-After.',
  431: 'The headers of the request are too large.',
  500: 'Internal failure.',
  503: 'Something that the gateway depends on cannot be reached.',
} as const;

export type ErrorStatus = keyof typeof meanings;

const examples: Record<ErrorStatus, string> = {
  400: 'id must be a UUID',
  401: 'sign in first: the request has no bearer token',
  403: 'this needs the admin group',
  404: 'no such resource',
  405: 'this path takes GET and POST only',
  408: 'the request did not arrive in time',
  409: 'a rule with this name exists already',
  412: 'the resource has changed since you read it; read it again',
  413: 'the request body is larger than 1 MiB',
  415: 'the request body must be application/json',
  417: 'the expectation of the request is not known',
  422: 'name must not be empty',
  429: 'too many requests, try again in 30 seconds',
  431: 'the headers of the request are too large',
  500: 'internal error',
  503: 'the identity provider cannot be reached, try again shortly',
};

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
