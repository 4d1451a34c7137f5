export const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Lengths of access that a user can request, in seconds. */
export const ACCESS_LENGTHS = [900, 3_600, 4 * 3_600, 8 * 3_600] as const;

/**
 * Formats a length of time: “30 minutes”, “1 hour 30 minutes”, “1.6 seconds”. Uses two units, because an
 * approver must not read “2 hours” for 90 minutes.
 */
export function lengthOf(seconds: number): string {
  const at = UNITS.findIndex(([, each]) => seconds >= each);
  const [[unit, size], next] = [UNITS[at] ?? UNITS[3], UNITS[at + 1]];
  if (next === undefined || at === -1) return inUnit(seconds, 'second');
  const [nextUnit, nextSize] = next;
  const rounded = Math.round(seconds / nextSize) * nextSize;
  const whole = Math.floor(rounded / size);
  const rest = (rounded - whole * size) / nextSize;
  return rest === 0 ? inUnit(whole, unit) : `${inUnit(whole, unit)} ${inUnit(rest, nextUnit)}`;
}

const inUnit = (count: number, unit: (typeof UNITS)[number][0]): string =>
  new Intl.NumberFormat(undefined, {
    style: 'unit',
    unit,
    unitDisplay: 'long',
    maximumFractionDigits: 1,
  }).format(count);
