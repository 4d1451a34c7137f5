/**
 * Returns a search parameter of the URL as text. Also accepts numbers and booleans, because the router
 * converts values that look like them. Values of other types give an empty text.
 */
export function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
