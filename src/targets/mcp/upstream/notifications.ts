import type { JsonObject } from '../../../kernel/json/json';
import { isLogged } from '../protocol/methods';
import type { RpcNotification } from '../protocol/rpc-messages';
import type { SubscriptionFilter, UpstreamRequest } from './contract';

/**
 * Member of a subscription filter that admits a notification, by the method of the notification.
 * `resources/updated` is not listed, because the filter admits it by the URI of the resource.
 */
const CHANGES: Readonly<Record<string, 'tools' | 'prompts' | 'resources'>> = {
  'notifications/tools/list_changed': 'tools',
  'notifications/prompts/list_changed': 'prompts',
  'notifications/resources/list_changed': 'resources',
};

/** Whether this is the method of a notice of a change. */
export function isChange(method: string): boolean {
  return Object.hasOwn(CHANGES, method) || method === 'notifications/resources/updated';
}

export function isSubscribed(filter: SubscriptionFilter, { method, params }: RpcNotification): boolean {
  const kind = Object.hasOwn(CHANGES, method) ? CHANGES[method] : undefined;
  if (kind !== undefined) return filter[kind] === true;
  const uri = params?.['uri'];
  return (
    method === 'notifications/resources/updated' &&
    typeof uri === 'string' &&
    (filter.uris ?? []).includes(uri)
  );
}

/**
 * Whether a legacy client with this log level receives a notification of its server that belongs to no
 * request and no subscription.
 */
export function isUnasked({ method, params }: RpcNotification, logLevel: string | undefined): boolean {
  if (logLevel === undefined) return false;
  if (method === 'notifications/message') return isLogged(params?.['level'], logLevel);
  return method === 'notifications/elicitation/complete';
}

/**
 * Returns the parameters of a notification for the client of this request; undefined if it is not for this
 * client. Replaces the gateway's progress token with the client's, and keeps only log messages that the
 * client requested. Keeps notices of changes, because some servers send them in the answer to the request
 * that made the change.
 * @param ourToken the token that replaced the client's `progressToken` in the request
 */
export function notificationFor(
  request: UpstreamRequest,
  ourToken: number,
  { method, params = {} }: RpcNotification,
): JsonObject | undefined {
  if (method === 'notifications/progress') {
    const token = progressTokenOf(request.params);
    return token === undefined || params['progressToken'] !== ourToken
      ? undefined
      : { ...params, progressToken: token };
  }
  if (method === 'notifications/message')
    return request.logLevel !== undefined && isLogged(params['level'], request.logLevel) ? params : undefined;
  return method === 'notifications/cancelled' ? undefined : params;
}

/** Returns the token with which the client requests progress. */
export function progressTokenOf(params: JsonObject): JsonObject[string] | undefined {
  const meta = params['_meta'];
  return typeof meta === 'object' && meta !== null ? (meta as JsonObject)['progressToken'] : undefined;
}

/** Returns `_meta` for the server, with the gateway's progress token; undefined if it is empty. */
export function metaFor(params: JsonObject, ourToken: number, own: JsonObject): JsonObject | undefined {
  const meta = { ...(params['_meta'] as JsonObject | undefined), ...own };
  if (progressTokenOf(params) !== undefined) meta['progressToken'] = ourToken;
  return Object.keys(meta).length === 0 ? undefined : meta;
}
