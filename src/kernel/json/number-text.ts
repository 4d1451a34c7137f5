import { JsonNumber } from './json-value';

/** Every decimal of so many digits comes back from a double as it was. */
const SURE_DIGITS = 15;

/** The value of a number as JSON writes it: a double where that loses nothing. */
export function numberOf(text: string): number | JsonNumber {
  const value = Number(text);
  if (Object.is(value, -0)) return new JsonNumber(text);
  if (text.length <= SURE_DIGITS && !/[eE]/.test(text)) return value;
  return Number.isFinite(value) && isSame(text, String(value)) ? value : new JsonNumber(text);
}

function isSame(text: string, other: string): boolean {
  if (text === other) return true;
  const [a, b] = [decimalOf(text), decimalOf(other)];
  return a.digits === b.digits && a.exponent === b.exponent;
}

/**
 * A decimal number: the digits times ten to the power of the exponent. All spellings of one value have one
 * such form: the digits neither begin nor end with zero, and zero has none.
 */
export interface Decimal {
  readonly isNegative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

/** @param text a number as JSON writes it */
export function decimalOf(text: string): Decimal {
  const isNegative = text.startsWith('-');
  const [mantissa = '', power = '0'] = text.slice(isNegative ? 1 : 0).split(/[eE]/);
  const [whole = '', fraction = ''] = mantissa.split('.');
  const all = (whole + fraction).replace(/^0+/, '');
  const digits = withoutEndZeros(all);
  if (digits === '') return { isNegative, digits, exponent: 0 };
  return { isNegative, digits, exponent: Number(power) - fraction.length + (all.length - digits.length) };
}

/** In linear time: a regular expression would try again at each zero. */
function withoutEndZeros(text: string): string {
  let end = text.length;
  while (text[end - 1] === '0') end -= 1;
  return text.slice(0, end);
}

/** At most so many digits are written for an exponent. */
const MAX_DIGITS = 64;

/** The number without an exponent, as far as that is short: `4.111e3` is 4111. */
export function plainNumber(written: string): string {
  if (!/e/i.test(written)) return written;
  const { isNegative, digits, exponent } = decimalOf(written);
  const sign = isNegative ? '-' : '';
  if (Math.abs(exponent) > MAX_DIGITS || digits.length > MAX_DIGITS) return written;
  if (exponent >= 0) return sign + digits + '0'.repeat(exponent);
  const padded = digits.padStart(1 - exponent, '0');
  return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}
