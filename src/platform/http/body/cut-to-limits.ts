import type { FieldCheck } from '../dto/dto-fields';

/**
 * The limits apply to the normalized text. One character of it may have been
 * sent as a letter and several marks.
 */
const UNITS_PER_CHARACTER = 8;

/**
 * Cuts a value that is far beyond its field's limits to just beyond them. The checks then
 * refuse it with the same message, without processing a megabyte: some of them make a list of
 * all characters of certain kinds. A value within the limits is returned unchanged. A list of
 * texts that contains another value is cut to that value.
 */
export function cutToLimits(value: unknown, checks: readonly FieldCheck[]): unknown {
  if (typeof value === 'string') return cutText(value, textLimitOf(checks, false));
  if (!Array.isArray(value)) return value;
  const wrong = checks.some(isForTexts) ? value.findIndex((item) => typeof item !== 'string') : -1;
  // It is refused for this element, whatever the others are.
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

/** The smallest upper limit among the checks of these names, from their last constraint. */
function limitOf(checks: readonly FieldCheck[], ...names: string[]): number {
  const limits = checks
    .filter(({ name }) => name !== undefined && names.includes(name))
    .map(({ constraints }) => (constraints as unknown[] | undefined)?.at(-1))
    .filter((limit) => typeof limit === 'number');
  return Math.min(Number.MAX_SAFE_INTEGER, ...limits);
}
