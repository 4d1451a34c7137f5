import { isObject, type Json, JsonNumber } from './json-value';
import { decimalOf } from './number-text';

/** Writes a JSON value without white space. Every number keeps its value. */
export function writeJson(value: Json): string {
  const before = JsonNumber.stringified;
  // `JSON.stringify` is many times faster, and correct unless the value contains a `JsonNumber`.
  const written = JSON.stringify(value);
  return JsonNumber.stringified === before
    ? written
    : write(value, { names: Object.keys, number: exactNumber });
}

/**
 * Writes a value in canonical form (RFC 8785), so that equal values have equal text: names sorted by UTF-16
 * code units, doubles as ECMAScript writes them, the fewest escapes. RFC 8785 covers doubles only. A
 * `JsonNumber` keeps its exact text, because rounding would give two different 64-bit numbers one form, and
 * an approval of one call would be valid for another. @throws TypeError for NaN and infinity
 */
export function canonicalJson(value: Json): string {
  return write(value, { names: sortedNames, number: canonicalNumber });
}

interface Form {
  names(object: Readonly<Record<string, Json>>): string[];
  number(number: number | JsonNumber): string;
}

function write(value: Json, form: Form): string {
  if (Array.isArray(value)) return `[${value.map((item) => write(item, form)).join(',')}]`;
  if (isObject(value)) {
    const fields = form.names(value).map((name) => `${JSON.stringify(name)}:${write(value[name]!, form)}`);
    return `{${fields.join(',')}}`;
  }
  return typeof value === 'number' || value instanceof JsonNumber
    ? form.number(value)
    : JSON.stringify(value);
}

function sortedNames(object: Readonly<Record<string, Json>>): string[] {
  // `sort` compares UTF-16 code units by default.
  return Object.keys(object).sort();
}

function exactNumber(number: number | JsonNumber): string {
  return typeof number === 'number' ? JSON.stringify(number) : number.text;
}

function canonicalNumber(number: number | JsonNumber): string {
  if (typeof number === 'number') {
    if (!Number.isFinite(number)) throw new TypeError(`JSON has no ${number}`);
    return JSON.stringify(number);
  }
  // Minus zero has the same form as zero.
  return decimalOf(number.text).digits === '' ? '0' : number.text;
}
