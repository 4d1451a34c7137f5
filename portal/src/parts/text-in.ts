/**
 * A value of an address as text. The router reads what looks like a number or
 * a truth value as one; anything else is none.
 */
export function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
