import type { ParsedUrlQuery } from 'node:querystring';
import type { Change } from '../../../platform/http/routes/change';
import type { ScimAnswer } from './answer';

/** A request about resources, from an identified provider. */
export interface ScimRequest {
  readonly orgId: string;
  /** Base URL of the SCIM endpoint, for links. */
  readonly base: string;
  readonly query: ParsedUrlQuery;
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

/** A request that writes. */
export interface ScimWrite extends ScimRequest {
  readonly change: Change;
  readonly body: unknown;
}

/** Handlers of the requests on one kind of resource. */
export interface ResourceRequests {
  list(request: ScimRequest): Promise<ScimAnswer>;
  get(request: ScimRequest, id: string): Promise<ScimAnswer>;
  create(request: ScimWrite): Promise<ScimAnswer>;
  replace(request: ScimWrite, id: string): Promise<ScimAnswer>;
  patch(request: ScimWrite, id: string): Promise<ScimAnswer>;
  remove(request: ScimWrite, id: string): Promise<ScimAnswer>;
}

const LIST_URN = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

/** Returns the list response of RFC 7644, section 3.4.2. */
export function listResponse(resources: readonly object[], total: number, startIndex: number): ScimAnswer {
  return {
    status: 200,
    body: {
      schemas: [LIST_URN],
      totalResults: total,
      startIndex,
      itemsPerPage: resources.length,
      Resources: resources,
    },
  };
}
