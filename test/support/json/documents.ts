import * as fc from 'fast-check';
import {
  isObject,
  type Json,
  JsonFault,
  type JsonFaultReason,
  JsonNumber,
  readJson,
} from '../../../src/kernel/json/json';

const bytesOf = (text: string) => Buffer.from(text);

/** Reads a short document, which needs no promise. */
export function read(document: string | Buffer, bounds = {}): Json {
  const value = readJson(typeof document === 'string' ? bytesOf(document) : document, bounds);
  if (value instanceof Promise) throw new Error('a short document is read at once');
  return value;
}

export function faultOf(document: string | Buffer, bounds = {}): JsonFaultReason | undefined {
  try {
    read(document, bounds);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(JsonFault);
    return (error as JsonFault).reason;
  }
}

/**
 * Whether a name is one escaped character. V8 13.6 (Node.js 24.21) reads such a name as a backslash when an object with that name was there
 * before: `JSON.parse('{"a":1,"\\n":2}')` then has the name `\\`. The gateway's own reader does not.
 */
export function isMisreadByNode24(text: string): boolean {
  return /"\\(?:[^u]|u[0-9a-f]{4})"\s*:/i.test(text);
}

/** What `JSON.parse` makes of it; undefined for no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const numberTexts = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.constant('0'), fc.bigInt({ min: 1n, max: 10n ** 24n }).map(String), fc.nat().map(String)),
    fc.oneof(fc.constant(''), fc.stringMatching(/^\.\d{1,22}$/)),
    fc.oneof(fc.constant(''), fc.stringMatching(/^[eE][+-]?\d{1,3}$/)),
  )
  .map((parts) => parts.join(''));

const spelledStrings = fc
  .array(
    fc.constantFrom(
      'a',
      '\\"',
      '\\\\',
      '\\/',
      '\\n',
      'é',
      '\\u0041',
      '\\uD83D\\uDCA9',
      '\u{1F4A9}',
      '\u2028',
    ),
    { maxLength: 6 },
  )
  .map((parts) => `"${parts.join('')}"`);

const space = fc.stringMatching(/^[ \t\n\r]{0,2}$/);

/** Documents as any writer may write them, some with a name twice. */
export const documents = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof(
      numberTexts,
      spelledStrings,
      fc.constantFrom('true', 'false', 'null', '[]', '{}', '[ ]', '{\n}'),
    ),
    fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(' ,')}]`),
    fc
      .array(fc.tuple(spelledStrings, space, tie('value')), { maxLength: 4 })
      .map((fields) => `{${fields.map(([name, blank, value]) => `${name}${blank}:${value}`).join(',\n')}}`),
  ),
})).value;

/** The value with every number as a double, as `JSON.parse` has it. */
export function rounded(value: Json): unknown {
  if (value instanceof JsonNumber) return Number(value.text);
  if (Array.isArray(value)) return value.map(rounded);
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, rounded(it)]));
  return value;
}
