import { parse } from 'node:querystring';
import { Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { HttpSettings } from '../../../platform/config/groups';
import { ChangeFeed } from '../../../platform/database/feed/change-feed';
import { PLAIN_BODY_MB } from '../../../platform/http/body/bounds';
import { hasBody, readBody } from '../../../platform/http/body/read-body';
import type { ChangingRequest, RequestedChange } from '../../../platform/http/routes/change';
import type { Principal } from '../../../kernel/principal';
import { ScimFault } from '../values/scim-fault';
import { SCIM_TYPE, type ScimAnswer, sendAnswer, sendScimFault } from './answer';
import { discovery } from './discovery';
import { GroupRequests } from './group-requests';
import type { ResourceRequests, ScimRequest, ScimWrite } from './resource-requests';
import { ScimAuthentication } from './scim-authentication';
import { UserRequests } from './user-requests';

/** Path below `API_PREFIX`. */
export const SCIM_PATH = '/scim/v2';

const BODY_TYPES = [SCIM_TYPE, 'application/json'];
const PATH = /^\/(\.search|[A-Za-z]+)(?:\/([^/]+))?\/?$/;
/** Path segment of queries by POST (RFC 7644, section 3.4.3), which are not supported. */
const SEARCH = '.search';
const ACTIONS = { POST: 'create', PUT: 'update', PATCH: 'update', DELETE: 'delete' } as const;

type Handler = (requests: ResourceRequests, request: ScimWrite, id: string) => Promise<ScimAnswer>;

const OF_LIST: Readonly<Record<string, Handler>> = {
  GET: (requests, request) => requests.list(request),
  POST: (requests, request) => requests.create(request),
};
const OF_ONE: Readonly<Record<string, Handler>> = {
  GET: (requests, request, id) => requests.get(request, id),
  PUT: (requests, request, id) => requests.replace(request, id),
  PATCH: (requests, request, id) => requests.patch(request, id),
  DELETE: (requests, request, id) => requests.remove(request, id),
};

/**
 * SCIM 2.0 below `{API_PREFIX}/scim/v2`. It is not part of the REST API: its requests, answers and errors
 * follow RFC 7644, and it accepts only SCIM tokens.
 */
@Injectable()
export class ScimEndpoint {
  private readonly log = new Logger(ScimEndpoint.name);

  constructor(
    private readonly authentication: ScimAuthentication,
    private readonly users: UserRequests,
    private readonly groups: GroupRequests,
    private readonly feed: ChangeFeed,
    private readonly settings: HttpSettings,
  ) {}

  /** Express middleware, mounted on `SCIM_PATH`; answers every request. */
  async handle(request: ChangingRequest, response: Response): Promise<void> {
    try {
      // Authentication comes first, so that strangers learn nothing, not even which paths exist.
      const principal = await this.authentication.identify(request);
      request.principal = principal;
      await sendAnswer(response, await this.answer(request, response, principal));
    } catch (error) {
      if (response.headersSent) return void response.destroy();
      const status = sendScimFault(response, error);
      if (status === 500) this.log.error({ err: error }, 'A request of SCIM failed');
    }
  }

  private async answer(
    request: ChangingRequest,
    response: Response,
    principal: Principal,
  ): Promise<ScimAnswer> {
    const [, kind = '', id] = PATH.exec(request.path) ?? [];
    const base = `${this.settings.apiUrl}${this.settings.apiPrefix}${SCIM_PATH}`;
    const document = discovery(kind, id === undefined ? undefined : decoded(id), base);
    if (document !== undefined) {
      if (request.method !== 'GET') throw unsupported(request.method, ['GET']);
      return document;
    }
    const requests = this.requestsOf(kind);
    if (id === SEARCH) throw unsupportedOperation(SEARCH);
    const handlers = id === undefined ? OF_LIST : OF_ONE;
    const handler = Object.hasOwn(handlers, request.method) ? handlers[request.method] : undefined;
    if (handler === undefined) throw unsupported(request.method, Object.keys(handlers));
    const read: ScimRequest = {
      orgId: principal.orgId,
      base,
      query: parse(request.originalUrl.split('?').slice(1).join('?'), '&', '=', { maxKeys: 50 }),
      ifMatch: request.headers['if-match'],
      ifNoneMatch: request.headers['if-none-match'],
    };
    const { change } = request;
    // The cast is safe, because the handler of a read request does not use `change`.
    const write = { ...read, change: change as RequestedChange, body: undefined as unknown };
    if (change === undefined) return handler(requests, write, id ?? '');
    change.concerns({ type: `scim/v2/${kind}`, id: id?.slice(0, 256) ?? '' }, actionOf(request.method));
    write.body = await bodyOf(request, response);
    const answer = await handler(requests, write, id ?? '');
    if (change.isRecorded) await this.feed.caughtUp();
    return answer;
  }

  private requestsOf(kind: string): ResourceRequests {
    if (kind === 'Users') return this.users;
    if (kind === 'Groups') return this.groups;
    if (kind === 'Bulk' || kind === 'Me' || kind === SEARCH) throw unsupportedOperation(kind);
    throw new ScimFault(404, 'there is no such resource type');
  }
}

/** Decodes a path segment, because some providers percent-encode the colons of a URN. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

async function bodyOf(request: Request, response: Response): Promise<unknown> {
  if (request.method === 'DELETE') return undefined;
  if (!hasBody(request)) throw new ScimFault(400, 'the request has no body', 'invalidSyntax');
  return readBody(request, response, PLAIN_BODY_MB, BODY_TYPES);
}

function actionOf(method: string): (typeof ACTIONS)[keyof typeof ACTIONS] {
  return Object.hasOwn(ACTIONS, method) ? ACTIONS[method as keyof typeof ACTIONS] : 'update';
}

function unsupportedOperation(name: string): ScimFault {
  return new ScimFault(501, `${name} is not supported`);
}

function unsupported(method: string, allowed: readonly string[]): ScimFault {
  return new ScimFault(405, `${method} is not supported here`, undefined, { Allow: allowed.join(', ') });
}
