import type { FieldCheck } from '../dto/dto-fields';

/**
 * Assumed maximum number of UTF-16 code units of one character before normalization. A client may send one
 * character as a letter and several combining marks, but the limits apply to the normalized text.
 */
const UNITS_PER_CHARACTER = 8;

/**
 * Shortens a value that is far beyond its field's limits to just beyond them. The checks then refuse it with
 * the same message, but need not process a megabyte. Returns a value within the limits unchanged. If a list
 * of texts contains a value that is not a text, returns a list of only this value.
 */
export function cutToLimits(value: unknown, checks: readonly FieldCheck[]): unknown {
  if (typeof value === 'string') return cutText(value, textLimitOf(checks, false));
  if (!Array.isArray(value)) return value;
  const wrong = checks.some(isForTexts) ? value.findIndex((item) => typeof item !== 'string') : -1;
  // The list is refused because of this element, whatever the other elements are.
  if (wrong !== -1) return [value[wrong]];
  const max = limitOf(checks, 'arrayMaxSize');
  const items = value.length > max ? value.slice(0, max + 1) : value;
  const maxText = textLimitOf(checks, true);
  const cut = items.map((item: unknown) => (typeof item === 'string' ? cutText(item, maxText) : item));
  return cut.length === value.length && cut.every((item, index) => item === value[index]) ? value : cut;
}

function isForTexts({ name, each }: FieldCheck): boolean {
  return name === 'isString' && each;
}

function cutText(text: string, max: number): string {
  return text.length > UNITS_PER_CHARACTER * max ? 'x'.repeat(max + 1) : text;
}

function textLimitOf(checks: readonly FieldCheck[], each: boolean): number {
  return limitOf(
    checks.filter((check) => check.each === each),
    'maxLength',
    'isLength',
  );
}

/** Returns the smallest limit of the checks with these names. The last constraint of a check is its limit. */
function limitOf(checks: readonly FieldCheck[], ...names: string[]): number {
  const limits = checks
    .filter(({ name }) => name !== undefined && names.includes(name))
    .map(({ constraints }) => (constraints as unknown[] | undefined)?.at(-1))
    .filter((limit) => typeof limit === 'number');
  return Math.min(Number.MAX_SAFE_INTEGER, ...limits);
}
