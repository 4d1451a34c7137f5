import { isObject, type Json } from './json-value';

/**
 * Returns the decoded parts of a JSON pointer (RFC 6901), or undefined if the text is not a JSON pointer.
 * `''` points to the whole value.
 */
export function pointerParts(pointer: string): string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Encodes a name or index as part of a JSON pointer. */
export function pointerPart(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Returns the value to which the parts of a JSON pointer lead; undefined if there is none. */
export function valueAt(value: Json, parts: readonly string[]): Json | undefined {
  let found: Json | undefined = value;
  for (const part of parts) {
    if (Array.isArray(found)) found = /^(?:0|[1-9]\d*)$/.test(part) ? found[Number(part)] : undefined;
    else found = isObject(found) ? found[part] : undefined;
  }
  return found;
}
