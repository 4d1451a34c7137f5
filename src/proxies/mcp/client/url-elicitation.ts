import { type Json, type JsonObject, isObject } from '../../../kernel/json/json';
import { RPC_ERRORS } from '../../../targets/mcp/protocol/rpc-errors';
import type { RpcError } from '../../../targets/mcp/protocol/rpc-messages';
import { gatewayError } from '../http/refusals';

/**
 * Action of the user in the browser before a request can go on (2025-11-25 and 2026-07-28, "Elicitation",
 * mode `url`).
 */
export interface UrlElicitation {
  /** Not secret, and unique for this client; only legacy clients see it. */
  readonly id: string;
  /** Address of a page. It must carry no credential: the page finds out by itself who opens it. */
  readonly url: string;
  /** Plain English, for the person. */
  readonly message: string;
}

/** A request to the client. Modern clients get it in `inputRequests`, legacy clients on a stream. */
export interface ElicitationRequest {
  readonly method: 'elicitation/create';
  readonly params: JsonObject;
}

/** Whether the client declared that it opens addresses. `elicitation: {}` means forms only. */
export function opensUrls({ elicitation }: JsonObject): boolean {
  return isObject(elicitation) && isObject(elicitation['url']);
}

export function modernElicitation({ url, message }: UrlElicitation): ElicitationRequest {
  return { method: 'elicitation/create', params: { mode: 'url', message, url } };
}

export function legacyElicitation(elicitation: UrlElicitation): ElicitationRequest {
  return { method: 'elicitation/create', params: legacyParams(elicitation) };
}

/**
 * Error -32042 of 2025-11-25: the client repeats its request once the person has
 * been there. Only for clients that `opensUrls`.
 */
export function urlElicitationRequired(
  message: string,
  elicitations: readonly [UrlElicitation, ...UrlElicitation[]],
): RpcError {
  return gatewayError(RPC_ERRORS.urlElicitationRequired, message, {
    elicitations: elicitations.map(legacyParams),
  });
}

/** Parameters of the notification that ends an elicitation, for the legacy client that was asked. */
export const ELICITATION_COMPLETE = 'notifications/elicitation/complete';
export function elicitationComplete({ id }: UrlElicitation): JsonObject {
  return { elicitationId: id };
}

/** Whether the person agreed to open the address. It does not mean that anything was done there. */
export function hasAccepted(response: Json | undefined): boolean {
  return isObject(response) && response['action'] === 'accept';
}

function legacyParams({ id, url, message }: UrlElicitation): JsonObject {
  return { mode: 'url', elicitationId: id, url, message };
}
