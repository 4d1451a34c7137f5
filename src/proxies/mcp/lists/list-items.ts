import type { Json, JsonObject } from '../../../kernel/json/json';

/**
 * For each list method: the member of the result that contains the list, and the member of an item that
 * contains its name.
 */
export const LISTS = {
  'tools/list': { items: 'tools', name: 'name' },
  'prompts/list': { items: 'prompts', name: 'name' },
  'resources/list': { items: 'resources', name: 'uri' },
  'resources/templates/list': { items: 'resourceTemplates', name: 'uriTemplate' },
} as const;

/** Returns the items of a list in a result; an empty array if the result has no list. */
export function itemsIn(method: string, result: JsonObject): Json[] {
  const listed = isList(method) ? result[LISTS[method].items] : undefined;
  return Array.isArray(listed) ? listed : [];
}

/** Returns the result with an empty list. */
export function withoutItems(method: string, result: JsonObject): JsonObject {
  return isList(method) ? { ...result, [LISTS[method].items]: [] } : result;
}

export function isList(method: string): method is keyof typeof LISTS {
  return Object.hasOwn(LISTS, method);
}
