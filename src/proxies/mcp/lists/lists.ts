import type { Target } from '../../../gate/ports/target-directory';
import { isAllowed, isAllowedUri } from './globs';
import { type Json, type JsonObject, isObject } from '../../../kernel/json/json';
import { TimeSlice } from '../../../kernel/async/time-slice';
import { LISTS, isList } from './list-items';
import type { ToolDirectory } from './tool-directory';

/** Removes from a list the items that the policy does not allow. Returns other results unchanged. */
export async function shownList(
  method: string,
  result: JsonObject,
  { mcp }: Target,
  tools: ToolDirectory,
): Promise<JsonObject> {
  if (!isList(method)) return result;
  const { items, name } = LISTS[method];
  const listed = result[items];
  // A value that is not a list cannot be filtered, so the client gets an empty list.
  if (!Array.isArray(listed)) return { ...result, [items]: [] };
  if (method === 'tools/list') return { ...result, [items]: await tools.shown(listed) };
  if (mcp === null) return result;
  const { prompts, resources } = mcp;
  const isShown = (item: Json): boolean => {
    const named = isObject(item) ? item[name] : undefined;
    if (typeof named !== 'string') return false;
    return method === 'prompts/list' ? isAllowed(prompts, named) : isAllowedUri(resources, named);
  };
  const slice = new TimeSlice();
  const shown: Json[] = [];
  for (const item of listed) {
    if (isShown(item)) shown.push(item);
    if (slice.isOver) await slice.next();
  }
  return { ...result, [items]: shown };
}
