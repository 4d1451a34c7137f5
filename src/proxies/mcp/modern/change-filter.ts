import { type Json, type JsonObject, isObject } from '../../../kernel/json/json';
import { RPC_ERRORS } from '../../../targets/mcp/protocol/rpc-errors';
import type { SubscriptionFilter } from '../../../targets/mcp/upstream';
import { ModernFault } from '../http/modern-request';

/** Maximum number of resources whose updates one client may subscribe to. */
export const MAX_URIS = 1_000;

/** Reads the filter of `subscriptions/listen`. @throws ModernFault */
export function changeFilter(notifications: Json | undefined): SubscriptionFilter {
  if (!isObject(notifications)) throw invalid('"notifications" is not an object');
  const uris = notifications['resourceSubscriptions'] ?? [];
  if (!Array.isArray(uris) || uris.length > MAX_URIS || !uris.every((uri) => typeof uri === 'string'))
    throw invalid(`"resourceSubscriptions" is not an array of at most ${MAX_URIS} strings`);
  return {
    tools: flag(notifications, 'toolsListChanged'),
    prompts: flag(notifications, 'promptsListChanged'),
    resources: flag(notifications, 'resourcesListChanged'),
    uris,
  };
}

/** Returns the part of the requested filter to which the server agreed, in the form of the acknowledgment. */
export function shownFilter(wanted: SubscriptionFilter, agreed: SubscriptionFilter): JsonObject {
  return {
    ...(wanted.tools && agreed.tools ? { toolsListChanged: true } : {}),
    ...(wanted.prompts && agreed.prompts ? { promptsListChanged: true } : {}),
    ...(wanted.resources && agreed.resources ? { resourcesListChanged: true } : {}),
    ...(agreed.uris !== undefined && agreed.uris.length > 0
      ? { resourceSubscriptions: [...agreed.uris] }
      : {}),
  };
}

function flag(notifications: JsonObject, name: string): boolean {
  const value = notifications[name] ?? false;
  if (typeof value !== 'boolean') throw invalid(`"${name}" is not a boolean`);
  return value;
}

function invalid(message: string): ModernFault {
  return new ModernFault(RPC_ERRORS.invalidParams, message, 400);
}
