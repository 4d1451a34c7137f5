import type { PrintStyle } from './style';

const SECOND = 1_000_000n;
const MAX_MONTHS = 2 ** 31 - 1;
const MAX_MICROS = 2n ** 63n - 1n;

/** The parts of an interval. Hours, minutes, seconds and microseconds have the same sign. */
interface Parts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: bigint;
  readonly minute: number;
  readonly second: number;
  readonly micros: number;
}

/** Prints an interval. Source: PostgreSQL, EncodeInterval in datetime.c. */
export function interval(micros: bigint, days: number, months: number, style: PrintStyle): string {
  if (months === MAX_MONTHS && days === MAX_MONTHS && micros === MAX_MICROS) return 'infinity';
  if (months === -MAX_MONTHS - 1 && days === -MAX_MONTHS - 1 && micros === -MAX_MICROS - 1n)
    return '-infinity';
  const parts: Parts = {
    year: Math.trunc(months / 12),
    month: months % 12,
    day: days,
    hour: micros / (3_600n * SECOND),
    minute: Number((micros / (60n * SECOND)) % 60n),
    second: Number((micros / SECOND) % 60n),
    micros: Number(micros % SECOND),
  };
  switch (style.intervals) {
    case 'postgres':
      return plain(parts);
    case 'postgres_verbose':
      return verbose(parts);
    case 'sql_standard':
      return standard(parts);
    case 'iso_8601':
      return iso(parts);
  }
}

const absolute = (value: bigint): bigint => (value < 0n ? -value : value);
const two = (value: number): string => String(Math.abs(value)).padStart(2, '0');

function hasTime({ hour, minute, second, micros }: Parts): boolean {
  return hour !== 0n || minute !== 0 || second !== 0 || micros !== 0;
}

function isTimeNegative({ hour, minute, second, micros }: Parts): boolean {
  return hour < 0n || minute < 0 || second < 0 || micros < 0;
}

function secondsOf({ second, micros }: Parts, width = 1): string {
  const part = Math.abs(micros).toString().padStart(6, '0').replace(/0+$/, '');
  return `${String(Math.abs(second)).padStart(width, '0')}${part === '' ? '' : `.${part}`}`;
}

function clock(parts: Parts, width: number): string {
  const hours = String(absolute(parts.hour)).padStart(width, '0');
  return `${hours}:${two(parts.minute)}:${secondsOf(parts, 2)}`;
}

function plain(parts: Parts): string {
  const said: string[] = [];
  let isBefore = false;
  for (const [value, unit] of [
    [parts.year, 'year'],
    [parts.month, 'mon'],
    [parts.day, 'day'],
  ] as const) {
    if (value === 0) continue;
    said.push(`${isBefore && value > 0 ? '+' : ''}${value} ${unit}${value === 1 ? '' : 's'}`);
    isBefore = value < 0;
  }
  if (said.length === 0 || hasTime(parts))
    said.push(`${isTimeNegative(parts) ? '-' : isBefore ? '+' : ''}${clock(parts, 2)}`);
  return said.join(' ');
}

function verbose(parts: Parts): string {
  let text = '@';
  let isBefore: boolean | undefined;
  for (const [given, unit] of [
    [BigInt(parts.year), 'year'],
    [BigInt(parts.month), 'mon'],
    [BigInt(parts.day), 'day'],
    [parts.hour, 'hour'],
    [BigInt(parts.minute), 'min'],
  ] as const) {
    if (given === 0n) continue;
    isBefore ??= given < 0n;
    const value = isBefore ? -given : given;
    text += ` ${value} ${unit}${value === 1n ? '' : 's'}`;
  }
  if (parts.second !== 0 || parts.micros !== 0) {
    const isNegative = parts.second < 0 || parts.micros < 0;
    isBefore ??= isNegative;
    const isOne = Math.abs(parts.second) === 1 && parts.micros === 0;
    text += ` ${isNegative === isBefore ? '' : '-'}${secondsOf(parts)} sec${isOne ? '' : 's'}`;
  }
  if (isBefore === undefined) return `${text} 0`;
  return isBefore ? `${text} ago` : text;
}

function standard(parts: Parts): string {
  const { year, month, day } = parts;
  const isNegative = year < 0 || month < 0 || day < 0 || isTimeNegative(parts);
  const isPositive = year > 0 || month > 0 || day > 0 || (hasTime(parts) && !isTimeNegative(parts));
  if (!isNegative && !isPositive) return '0';
  const hasYearMonth = year !== 0 || month !== 0;
  const hasDayTime = day !== 0 || hasTime(parts);
  const months = `${Math.abs(year)}-${Math.abs(month)}`;
  if ((isNegative && isPositive) || (hasYearMonth && hasDayTime)) {
    const sign = (negative: boolean): string => (negative ? '-' : '+');
    const days = `${sign(day < 0)}${Math.abs(day)}`;
    return `${sign(year < 0 || month < 0)}${months} ${days} ${sign(isTimeNegative(parts))}${clock(parts, 1)}`;
  }
  const sign = isNegative ? '-' : '';
  if (hasYearMonth) return `${sign}${months}`;
  return `${sign}${day === 0 ? '' : `${Math.abs(day)} `}${clock(parts, 1)}`;
}

function iso(parts: Parts): string {
  const { year, month, day, hour, minute, second, micros } = parts;
  const part = (value: number | bigint, unit: string): string =>
    Number(value) === 0 ? '' : `${value}${unit}`;
  const dated = `${part(year, 'Y')}${part(month, 'M')}${part(day, 'D')}`;
  if (!hasTime(parts)) return dated === '' ? 'PT0S' : `P${dated}`;
  const sign = second < 0 || micros < 0 ? '-' : '';
  const seconds = second === 0 && micros === 0 ? '' : `${sign}${secondsOf(parts)}S`;
  return `P${dated}T${part(hour, 'H')}${part(minute, 'M')}${seconds}`;
}
