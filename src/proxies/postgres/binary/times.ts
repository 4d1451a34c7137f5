import { Unprintable } from '../wire/cursor';
import type { PrintStyle } from './style';
import { zoneOffset, shortNameOf } from './time-zone';

const SECOND = 1_000_000;
const DAY = 86_400 * SECOND;
/** Days from 1970-01-01 to 2000-01-01, PostgreSQL's epoch. */
export const EPOCH_DAYS = 10_957;
const INFINITE_DATE = [2 ** 31 - 1, -(2 ** 31)] as const;
const INFINITE_TIME = [2n ** 63n - 1n, -(2n ** 63n)] as const;
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const two = (value: number): string => String(value).padStart(2, '0');

interface Civil {
  /** Year; 0 means 1 BC. */
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/**
 * Returns the date in the proleptic Gregorian calendar for a day counted from 1970-01-01. Source: Howard
 * Hinnant, "chrono-Compatible Low-Level Date Algorithms".
 */
function civilOf(days: number): Civil {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const ofEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1_460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  );
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * ofYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: ofYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
  };
}

function infinite(value: number | bigint, [high, low]: readonly [number | bigint, number | bigint]): string {
  if (value === high) return 'infinity';
  return value === low ? '-infinity' : '';
}

/**
 * Prints a date. Source for the functions in this file: PostgreSQL, EncodeDateOnly, EncodeTimeOnly and
 * EncodeDateTime in datetime.c.
 */
export function date(days: number, style: PrintStyle): string {
  const civil = civilOf(days + EPOCH_DAYS);
  return infinite(days, INFINITE_DATE) || numericDate(civil, style) + eraOf(civil);
}

function numericDate(civil: Civil, { dates, dayFirst }: PrintStyle): string {
  const [year, month, day] = [yearOf(civil), two(civil.month), two(civil.day)];
  if (dates === 'ISO') return `${year}-${month}-${day}`;
  if (dates === 'German') return `${day}.${month}.${year}`;
  const between = dates === 'SQL' ? '/' : '-';
  return (dayFirst ? [day, month, year] : [month, day, year]).join(between);
}

const yearOf = ({ year }: Civil): string => String(year > 0 ? year : 1 - year).padStart(4, '0');
const eraOf = ({ year }: Civil): string => (year > 0 ? '' : ' BC');

/** @param micros microseconds since midnight. */
export function time(micros: number): string {
  const seconds = Math.floor(micros / SECOND);
  const minutes = Math.floor(seconds / 60);
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:${two(seconds % 60)}${fraction(micros % SECOND)}`;
}

function fraction(micros: number): string {
  return micros === 0 ? '' : `.${String(micros).padStart(6, '0').replace(/0+$/, '')}`;
}

/** @param east seconds east of Greenwich. */
export function zone(east: number): string {
  const seconds = Math.abs(east);
  const [hour, minute, second] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const rest = second > 0 ? `:${two(minute)}:${two(second)}` : minute > 0 ? `:${two(minute)}` : '';
  return `${east >= 0 ? '+' : '-'}${two(hour)}${rest}`;
}

export function timestamp(micros: bigint, style: PrintStyle): string {
  return infinite(micros, INFINITE_TIME) || dateTime(micros, style, '');
}

export function timestamptz(micros: bigint, style: PrintStyle): string {
  const unending = infinite(micros, INFINITE_TIME);
  if (unending !== '') return unending;
  const east = zoneOffset(style.timeZone, micros);
  const local = micros + BigInt(east) * BigInt(SECOND);
  if (style.dates === 'ISO') return dateTime(local, style, zone(east));
  const name = shortNameOf(style.timeZone);
  if (name === undefined)
    throw new Unprintable(
      `the gateway does not know how ${style.timeZone} is abbreviated; set DateStyle to ISO`,
    );
  return dateTime(local, style, ` ${name}`);
}

function dateTime(micros: bigint, style: PrintStyle, behind: string): string {
  const ofDay = Number(((micros % BigInt(DAY)) + BigInt(DAY)) % BigInt(DAY));
  const days = Number((micros - BigInt(ofDay)) / BigInt(DAY)) + EPOCH_DAYS;
  const civil = civilOf(days);
  if (style.dates !== 'Postgres')
    return `${numericDate(civil, style)} ${time(ofDay)}${behind}${eraOf(civil)}`;
  const weekday = WEEKDAYS[(((days + 4) % 7) + 7) % 7] as string;
  const [month, day] = [MONTHS[civil.month - 1] as string, two(civil.day)];
  const monthDay = style.dayFirst ? `${day} ${month}` : `${month} ${day}`;
  return `${weekday} ${monthDay} ${time(ofDay)} ${yearOf(civil)}${behind}${eraOf(civil)}`;
}
