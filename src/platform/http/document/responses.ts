import type { OpenAPIObject } from '@nestjs/swagger';
import { ErrorBody, type ErrorStatus, errorExample, meanings } from '../routes/api-errors';
import { DESCRIBED_ETAG } from '../routes/versioned';
import { type HeaderName, headerReferences } from './headers';
import {
  type Operation,
  type Response,
  type Responses,
  isReference,
  operationsOf,
  referenceTo,
} from './parts';

/** Statuses of errors that every operation can answer. */
const ALWAYS: readonly ErrorStatus[] = [400, 405, 408, 417, 431];
const WITH_BODY: readonly ErrorStatus[] = [413, 415];

const names: Record<ErrorStatus, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  408: 'RequestTimeout',
  409: 'Conflict',
  412: 'PreconditionFailed',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  417: 'ExpectationFailed',
  422: 'UnprocessableEntity',
  429: 'TooManyRequests',
  431: 'RequestHeaderFieldsTooLarge',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
};

const headersOfErrors: Partial<Record<ErrorStatus, readonly HeaderName[]>> = {
  401: ['x-request-id', 'WWW-Authenticate'],
  405: ['x-request-id', 'Allow'],
  429: ['x-request-id', 'Retry-After'],
  503: ['x-request-id', 'Retry-After'],
};

const successWords: Readonly<Record<string, string>> = {
  '200': 'Success.',
  '201': 'Created.',
  '202': 'Accepted.',
  '204': 'Done; the answer has no body.',
};

/** Shares the error responses among all operations, and adds the headers to every response. */
export function settleResponses(document: OpenAPIObject): Responses {
  const sharedErrors: Responses = {};
  for (const operation of operationsOf(document)) {
    const always = [...ALWAYS, ...(operation.requestBody === undefined ? [] : WITH_BODY)];
    for (const status of always) operation.responses[status] ??= errorResponse(status);
    // Adds a default response, because OpenAPI requires one, and a route that only redirects has no success.
    if (!Object.keys(operation.responses).some((status) => status.startsWith('2')))
      operation.responses.default = { ...errorResponse(500), description: 'Any other failure.' };
    for (const [status, response] of Object.entries(operation.responses)) {
      if (response === undefined || isReference(response) || status === 'default') continue;
      operation.responses[status] = isErrorStatus(status)
        ? settledError(status, response, sharedErrors)
        : settledSuccess(status, response, operation);
    }
    Reflect.deleteProperty(operation, DESCRIBED_ETAG);
  }
  return sharedErrors;
}

function isErrorStatus(status: string): status is `${ErrorStatus}` {
  return status in meanings;
}

function settledError(
  status: `${ErrorStatus}`,
  response: Response,
  told: Responses,
): Operation['responses'][string] {
  const number = Number(status) as ErrorStatus;
  const common = errorResponse(number);
  if (response.description !== common.description) return { ...common, description: response.description };
  told[names[number]] = common;
  return { $ref: `#/components/responses/${names[number]}` };
}

function errorResponse(status: ErrorStatus): Response {
  return {
    description: meanings[status],
    headers: headerReferences(headersOfErrors[status] ?? ['x-request-id']),
    content: {
      'application/json': { schema: referenceTo(ErrorBody.name), example: errorExample(status) },
    },
  };
}

function settledSuccess(status: string, response: Response, operation: Operation): Response {
  const own: HeaderName[] = ['x-request-id'];
  if (DESCRIBED_ETAG in operation && response.content !== undefined) own.push('ETag');
  if (status === '201') own.push('Location');
  const isFile = Object.keys(response.content ?? {}).includes('text/csv');
  if (isFile) own.push('Content-Disposition');
  return {
    ...response,
    description: response.description === '' ? (successWords[status] ?? 'Success.') : response.description,
    headers: { ...response.headers, ...headerReferences(own) },
  };
}
