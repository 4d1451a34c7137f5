/** Matches the borders of subscripts, and code, or where code may begin. */
const BRACKET_OR_CODE = /[[\]`]|\$(?:[({[\0]|$)/g;

/**
 * Returns why a word may run code when it is used as a number; undefined if it does not. Arithmetic runs the
 * commands in a subscript, wherever the text comes from.
 */
export function subscriptHides(text: string): string | undefined {
  let isInside = false;
  for (const [mark] of text.matchAll(BRACKET_OR_CODE)) {
    if (isInside && (mark === '`' || mark.startsWith('$'))) return 'has a subscript with commands in it';
    isInside = mark === '[' || (isInside && mark !== ']');
  }
  return undefined;
}
