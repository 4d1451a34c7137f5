import type { Json, JsonObject } from '../../../kernel/json/json';

/** The list in a result, by method, and the member that names an item. */
export const LISTS = {
  'tools/list': { items: 'tools', name: 'name' },
  'prompts/list': { items: 'prompts', name: 'name' },
  'resources/list': { items: 'resources', name: 'uri' },
  'resources/templates/list': { items: 'resourceTemplates', name: 'uriTemplate' },
} as const;

/** The items of a list in a result; none of a result that has no list. */
export function itemsIn(method: string, result: JsonObject): Json[] {
  const listed = isList(method) ? result[LISTS[method].items] : undefined;
  return Array.isArray(listed) ? listed : [];
}

/** The result as one without items. */
export function withoutItems(method: string, result: JsonObject): JsonObject {
  return isList(method) ? { ...result, [LISTS[method].items]: [] } : result;
}

export function isList(method: string): method is keyof typeof LISTS {
  return Object.hasOwn(LISTS, method);
}
