import { type Json, type JsonObject, isObject } from '../../../kernel/json/json';
import { RPC_ERRORS } from '../../../targets/mcp/protocol/rpc-errors';
import type { RpcError } from '../../../targets/mcp/protocol/rpc-messages';
import { gatewayError } from '../http/refusals';

/**
 * An action that the user must do in the browser before a request can continue (2025-11-25 and 2026-07-28,
 * "Elicitation", mode `url`).
 */
export interface UrlElicitation {
  /** Id of the action. Not secret, and unique for this client. Only legacy clients get it. */
  readonly id: string;
  /** Address of a page. Must contain no credential, because the page itself authenticates its user. */
  readonly url: string;
  /** Text for the person, in plain English. */
  readonly message: string;
}

/** A request to the client. Modern clients get it in `inputRequests`, legacy clients on a stream. */
export interface ElicitationRequest {
  readonly method: 'elicitation/create';
  readonly params: JsonObject;
}

/** Whether the client declared that it can open addresses. `elicitation: {}` means forms only. */
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
 * Returns error -32042 of 2025-11-25. The client repeats its request after the person has opened the address.
 * Only for clients that support it (`opensUrls`).
 */
export function urlElicitationRequired(
  message: string,
  elicitations: readonly [UrlElicitation, ...UrlElicitation[]],
): RpcError {
  return gatewayError(RPC_ERRORS.urlElicitationRequired, message, {
    elicitations: elicitations.map(legacyParams),
  });
}

/** Method of the notification to a legacy client that an elicitation is complete. */
export const ELICITATION_COMPLETE = 'notifications/elicitation/complete';
export function elicitationComplete({ id }: UrlElicitation): JsonObject {
  return { elicitationId: id };
}

/** Whether the person agreed to open the address. This does not mean that the person did anything there. */
export function hasAccepted(response: Json | undefined): boolean {
  return isObject(response) && response['action'] === 'accept';
}

function legacyParams({ id, url, message }: UrlElicitation): JsonObject {
  return { mode: 'url', elicitationId: id, url, message };
}
