import { JsonNumber } from './json-value';

/** A decimal with at most this many digits is the same after a conversion to a double and back. */
const SURE_DIGITS = 15;

/** Returns the value of a JSON number: a double if this loses nothing, otherwise a `JsonNumber`. */
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
 * A decimal number: `digits` times ten to the power of `exponent`. All spellings of one value have the same
 * form: `digits` neither begins nor ends with a zero, and is empty for zero.
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

/** Removes the zeros at the end in linear time; a regular expression would try again at each zero. */
function withoutEndZeros(text: string): string {
  let end = text.length;
  while (text[end - 1] === '0') end -= 1;
  return text.slice(0, end);
}

/** Largest exponent, and largest number of digits, that `plainNumber` writes out. */
const MAX_DIGITS = 64;

/** Returns the number without an exponent, if it is short enough: `4.111e3` becomes `4111`. */
export function plainNumber(written: string): string {
  if (!/e/i.test(written)) return written;
  const { isNegative, digits, exponent } = decimalOf(written);
  const sign = isNegative ? '-' : '';
  if (Math.abs(exponent) > MAX_DIGITS || digits.length > MAX_DIGITS) return written;
  if (exponent >= 0) return sign + digits + '0'.repeat(exponent);
  const padded = digits.padStart(1 - exponent, '0');
  return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}
