import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { inTurns } from '../../../platform/http/large-answers.interceptor';
import { faultForPeople } from '../../../platform/http/pages/fault-page';
import { EdgeFault } from '../../../platform/http/edge/edge-fault';
import { AppError } from '../../../kernel/app-error';
import { isLargeJson } from '../../../kernel/json/json';
import { ScimFault } from '../values/scim-fault';
import { versionTag } from '../resources/versions';

export const SCIM_TYPE = 'application/scim+json';
const CONTENT_TYPE = `${SCIM_TYPE}; charset=utf-8`;
const ERROR_URN = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** Answer to a SCIM request. */
export interface ScimAnswer {
  readonly status: 200 | 201 | 204 | 304;
  readonly body?: object;
  readonly version?: number;
  /** URL of the created resource. */
  readonly location?: string;
}

export async function sendAnswer(
  response: Response,
  { status, body, version, location }: ScimAnswer,
): Promise<void> {
  if (version !== undefined) response.set('ETag', versionTag(version));
  if (location !== undefined) response.set('Location', location);
  response.status(status);
  if (body === undefined) return void response.end();
  response.set('Content-Type', CONTENT_TYPE);
  // Writes a large body in steps; for example, a group may have 50 000 members.
  if (isLargeJson(body)) await pipeline(Readable.from(inTurns(body)), response);
  else response.send(Buffer.from(JSON.stringify(body)));
}

/** Sends an error in the form of RFC 7644, section 3.12. Returns the status. */
export function sendScimFault(response: Response, error: unknown): number {
  const { status, message, retryAfterSeconds } =
    error instanceof ScimFault ? { ...faultForPeople(undefined), ...shown(error) } : described(error);
  if (retryAfterSeconds !== undefined) response.set('Retry-After', String(retryAfterSeconds));
  if (status === 401) response.set('WWW-Authenticate', 'Bearer');
  if (error instanceof ScimFault || error instanceof EdgeFault) response.set(error.headers);
  const scimType = error instanceof ScimFault ? error.scimType : status === 400 ? 'invalidSyntax' : undefined;
  const body = {
    schemas: [ERROR_URN],
    status: String(status),
    ...(scimType === undefined ? {} : { scimType }),
    detail: message,
  };
  response
    .status(status)
    .set('Content-Type', CONTENT_TYPE)
    .send(Buffer.from(JSON.stringify(body)));
  return status;
}

function shown({ status, message }: ScimFault): { status: number; message: string } {
  return { status, message };
}

function described(error: unknown): {
  status: number;
  message: string;
  retryAfterSeconds?: number | undefined;
} {
  const fault = faultForPeople(error);
  // Messages of AppError and EdgeFault begin with a lowercase letter here, as in the REST API.
  const isPlain = (error instanceof AppError && fault.status < 500) || error instanceof EdgeFault;
  return isPlain ? { ...fault, message: (error as Error).message } : fault;
}
