/**
 * Returns a search parameter as text. The router converts values that look like numbers or booleans. Other
 * types give an empty text.
 */
export function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
