import * as fc from '../fast-check';
import {
  isObject,
  type Json,
  JsonFault,
  type JsonFaultReason,
  JsonNumber,
  readJson,
} from '../../../src/kernel/json/json';

const bytesOf = (text: string) => Buffer.from(text);

/** Parses a document that is too short for `readJson` to return a promise. */
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

const strings = /"((?:[^"\\]|\\[^])*)"([ \t\n\r]*:)?/g;

/**
 * Returns the result of `JSON.parse`; undefined if the text is not JSON. It parses names as separate strings
 * because of a bug in V8 13.6 (Node.js 24.21): V8 may use only the first characters of an escaped name, if an
 * earlier object had a name of these characters. `JSON.parse('{"a":1,"\\n":2}')` may then have the name `\\`.
 * The gateway's own reader does not have this bug.
 */
export function parsed(text: string): unknown {
  const names: string[] = [];
  try {
    const document = text.replace(strings, (written: string, inner: string, colon: string | undefined) => {
      if (colon === undefined) return written;
      names.push(JSON.parse(`"${inner}"`) as string);
      return `"${names.length - 1}":`;
    });
    return renamed(JSON.parse(document), names);
  } catch {
    return undefined;
  }
}

function renamed(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([at, it]) => [names[Number(at)], renamed(it, names)]),
  ) as unknown;
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

/** JSON documents in any spelling that a writer may use. Some contain a name twice. */
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

/** Returns the value with every number as a double, as `JSON.parse` returns it. */
export function rounded(value: Json): unknown {
  if (value instanceof JsonNumber) return Number(value.text);
  if (Array.isArray(value)) return value.map(rounded);
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, rounded(it)]));
  return value;
}
