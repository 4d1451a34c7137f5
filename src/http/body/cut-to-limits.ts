import type { FieldCheck } from '../dto-fields';

/** Limits hold for the normalized text. One character of it may have come as a letter and several marks. */
const UNITS_PER_CHARACTER = 8;

/**
 * A value that is far beyond the limits of its field, cut to what is just beyond them. The checks refuse it in the same words,
 * without looking at a megabyte: several of them make a list of all characters of certain kinds. The value itself when it
 * is not beyond them.
 */
export function cutToLimits(value: unknown, checks: readonly FieldCheck[]): unknown {
  if (typeof value === 'string') return cutText(value, checks, false);
  if (!Array.isArray(value)) return value;
  const max = limitOf(checks, 'arrayMaxSize');
  const items = value.length > max ? value.slice(0, max + 1) : value;
  const cut = items.map((item: unknown) => (typeof item === 'string' ? cutText(item, checks, true) : item));
  return cut.length === value.length && cut.every((item, index) => item === value[index]) ? value : cut;
}

function cutText(text: string, checks: readonly FieldCheck[], each: boolean): string {
  const max = limitOf(
    checks.filter((check) => check.each === each),
    'maxLength',
    'isLength',
  );
  return text.length > UNITS_PER_CHARACTER * max ? 'x'.repeat(max + 1) : text;
}

/** The least upper limit that checks of these names have; their last constraint. */
function limitOf(checks: readonly FieldCheck[], ...names: string[]): number {
  const limits = checks
    .filter(({ name }) => name !== undefined && names.includes(name))
    .map(({ constraints }) => (constraints as unknown[] | undefined)?.at(-1))
    .filter((limit) => typeof limit === 'number');
  return Math.min(Number.MAX_SAFE_INTEGER, ...limits);
}
