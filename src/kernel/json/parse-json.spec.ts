import * as fc from '../../../test/support/fast-check';
import { volume } from '../../../test/support/volume';
import { documents } from '../../../test/support/json/documents';
import { parseJson, plainJson } from './json';

/** Short names of object members, with characters that JSON escapes. */
const name = fc.string({
  unit: fc.constantFrom('a', '"', '\\', '\n', '\u{E9}', '_', '\u{1F4A9}'),
  maxLength: 3,
});

describe('parseJson', () => {
  it('reads what JSON.stringify wrote, whichever names were read before', () => {
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.oneof(name, fc.constantFrom('__proto__', '0', '1')), tie('value')),
      ),
    }));
    fc.assert(
      fc.property(value, (it) => {
        expect(entries(parseJson(JSON.stringify(it)))).toEqual(entries(it));
      }),
      { numRuns: volume(1_000, 50_000) },
    );
  });

  it('refuses what JSON.parse refuses', () => {
    const added = fc.constantFrom('"', '\\', ':', ',', '{', '}', '\n', '\u{A0}', 'x');
    fc.assert(
      fc.property(documents, fc.nat(), added, (document, place, it) => {
        const at = place % (document.length + 1);
        const text = document.slice(0, at) + it + document.slice(at);
        expect(faultOf(parseJson, text)).toBe(faultOf(JSON.parse, text));
      }),
      { numRuns: volume(1_000, 50_000) },
    );
  });

  it('reads a long text of escapes', () => {
    const long = '\n'.repeat(1_000_000);
    expect(parseJson(JSON.stringify({ '\n': long }))).toEqual({ '\n': long });
  });

  it('makes plain values of dates', () => {
    const at = new Date();
    expect(plainJson({ '\\': at, none: undefined })).toEqual({ '\\': at.toISOString() });
  });
});

/**
 * Replaces objects with ordered lists of their entries, because `toEqual` ignores the order of names, and
 * ignores `__proto__`.
 */
function entries(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(entries);
  if (typeof value !== 'object' || value === null) return value;
  return ['object', ...Object.entries(value).map(([key, it]) => [key, entries(it)])];
}

function faultOf(parse: (text: string) => unknown, text: string): string | undefined {
  try {
    parse(text);
    return undefined;
  } catch (error) {
    return (error as Error).name;
  }
}
