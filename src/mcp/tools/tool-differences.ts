import { type Json, canonicalJson, emptyObject, isObject } from '../../kernel/json/json';

/** One field in which two definitions of a tool differ. */
export interface ToolDifference {
  /** JSON pointer (RFC 6901): `/description`, `/inputSchema/properties/sql/type`. */
  readonly path: string;
  /** Former value: a text as it is, any other value as JSON; null if there was none. */
  readonly before: string | null;
  readonly after: string | null;
}

/** Maximum depth to which schemas are compared part by part. Deeper parts are compared as a whole. */
const MAX_DEPTH = 12;
export const MAX_DIFFERENCES = 200;

/**
 * Returns the differences by field, sorted by field name; at most 200.
 * @param before definition that was accepted; undefined if none was, so that every field is new.
 */
export function differencesOf(before: Json | undefined, after: Json): ToolDifference[] {
  const found: ToolDifference[] = [];
  compare(before ?? emptyObject(), after, '', 0, found);
  return found;
}

function compare(
  before: Json | undefined,
  after: Json | undefined,
  path: string,
  depth: number,
  found: ToolDifference[],
): void {
  if (found.length >= MAX_DIFFERENCES) return;
  if (isObject(before) && isObject(after) && depth < MAX_DEPTH) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    for (const name of names)
      compare(before[name], after[name], `${path}/${escaped(name)}`, depth + 1, found);
    return;
  }
  const [was, is] = [shown(before), shown(after)];
  // Compares the types too, because the text `"1"` and the number `1` are shown alike.
  if (was !== is || typeof before !== typeof after) found.push({ path, before: was, after: is });
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function shown(value: Json | undefined): string | null {
  if (value === undefined) return null;
  return typeof value === 'string' ? value : canonicalJson(value);
}
