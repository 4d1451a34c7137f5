import * as fc from '../../../test/support/fast-check';
import { volume } from '../../../test/support/volume';
import { documents, faultOf, parsed, read, rounded } from '../../../test/support/json/documents';
import { hostile } from '../../../test/support/json/hostile-documents';
import { JSON_BOUNDS, type Json, JsonFault, readJson, writeJson } from './json';
import { JsonReading } from './json-reading';

/** The string with some characters escaped. */
function spelled(text: string, escapes: readonly boolean[]): string {
  const units = Array.from({ length: text.length }, (_, at) =>
    escapes[at % escapes.length] === true
      ? `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`
      : JSON.stringify(text.charAt(at)).slice(1, -1),
  );
  return `"${units.join('')}"`;
}

describe('readJson', () => {
  it('reads what JSON.parse reads, however it is written, unless a name comes twice', () => {
    fc.assert(
      fc.property(documents, (text) => {
        const reason = faultOf(text);
        if (reason === undefined) expect(rounded(read(text))).toEqual(parsed(text));
        else expect(reason).toBe('duplicate');
      }),
      { numRuns: volume(1_000, 20_000) },
    );
  });

  it('agrees with JSON.parse about what is no JSON, whichever bytes are changed', () => {
    const change = fc.record({
      at: fc.nat(),
      removed: fc.nat({ max: 2 }),
      added: fc.constantFrom(
        '',
        '"',
        '\\',
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '0',
        '-',
        'e',
        ' ',
        '\0',
        '\n',
        'é',
      ),
    });
    fc.assert(
      fc.property(documents, fc.array(change, { minLength: 1, maxLength: 3 }), (document, changes) => {
        let text = document;
        for (const { at, removed, added } of changes) {
          const place = at % (text.length + 1);
          text = text.slice(0, place) + added + text.slice(place + removed);
        }
        fc.pre(text.isWellFormed());
        const reason = faultOf(text);
        const expected = parsed(text);
        if (reason === undefined) expect(rounded(read(text))).toEqual(expected);
        else if (reason === 'syntax') expect(expected).toBeUndefined();
        else expect(['duplicate', 'nul', 'encoding']).toContain(reason);
      }),
      { numRuns: volume(3_000, 100_000) },
    );
  });

  it('reads names with escapes, whatever was read before', () => {
    const names = ['\\', '\n', '"', '\t', '/', '\u{E9}', 'a\\', 'a\n', '\\"', '"\n'];
    for (const first of names)
      for (const second of names.filter((name) => name !== first)) {
        const text = JSON.stringify({ [first]: 1, [second]: 2 });
        expect(Object.entries(rounded(read(text)) as object)).toEqual([
          [first, 1],
          [second, 2],
        ]);
      }
  });

  it('finds a name that comes twice, however each is escaped', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', '"', '\\', '\n', '\u{1F4A9}'), maxLength: 2 });
    const flags = fc.array(fc.boolean(), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(fc.tuple(name, flags), { maxLength: 6 }), (names) => {
        const text = `{${names.map(([it, escapes]) => `${spelled(it, escapes)}:0`).join()}}`;
        const isUnique = new Set(names.map(([it]) => it)).size === names.length;
        expect(faultOf(text)).toBe(isUnique ? undefined : 'duplicate');
      }),
      { numRuns: volume(1_000, 20_000) },
    );
  });

  it('reads the same in steps of any size', () => {
    fc.assert(
      fc.property(documents, fc.integer({ min: 1, max: 9 }), (text, step) => {
        const inSteps = (): Json => {
          const reading = new JsonReading(text, JSON_BOUNDS);
          while (!reading.advance(step));
          return reading.value;
        };
        if (faultOf(text) === undefined) expect(inSteps()).toEqual(read(text));
        else expect(inSteps).toThrow(JsonFault);
      }),
      { numRuns: volume(1_000, 10_000) },
    );
  });

  it.each(hostile)('refuses %s', (_, document, reason, bounds = {}) => {
    expect(faultOf(document, bounds)).toBe(reason);
  });

  it.each(hostile)(
    'refuses %s in a document that is read in slices',
    async (_, document, reason, bounds = {}) => {
      const bytes = Buffer.concat([Buffer.alloc(70_000, ' '), Buffer.from(document)]);
      // A byte order mark is recognized only at the start of the text. After spaces, it is a syntax error.
      const expected = _.endsWith('byte order mark') ? 'syntax' : reason;
      await expect((async () => readJson(bytes, bounds))()).rejects.toMatchObject({ reason: expected });
    },
  );

  it('says what is wrong without a word of the document', () => {
    for (const [, document, , bounds] of hostile) {
      let fault: unknown;
      try {
        read(document, bounds);
      } catch (error) {
        fault = error;
      }
      expect((fault as JsonFault).message).toMatch(/^(is|has|begins) [A-Za-z0-9 :-]+$/);
    }
  });

  it('takes names that are alike only to other readers, unless it must not', () => {
    const names = '{"a":1,"A":[{"B":1},{"b":1}],"__proto__":2}';
    expect(writeJson(read(names))).toBe(names);
    expect(() => read('{"a":{"B":1},"b":{"A":1},"c":[{"A":1},{"a":1}]}', { oneReading: true })).not.toThrow();
  });

  it('names the member that it refuses, beside its message', () => {
    expect(() => read('{"a":1,"A":1}', { oneReading: true })).toThrow(
      expect.objectContaining({ member: 'A' }),
    );
  });

  it('gives objects no prototype, so that every name is one', () => {
    const value = read('{"__proto__":{"a":1},"constructor":2,"toJSON":3,"hasOwnProperty":4}');
    expect(Object.getPrototypeOf(value)).toBeNull();
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor', 'toJSON', 'hasOwnProperty']);
    expect(writeJson(value)).toBe('{"__proto__":{"a":1},"constructor":2,"toJSON":3,"hasOwnProperty":4}');
    expect(({} as { a?: number }).a).toBeUndefined();
  });

  it('gives other work its turn while it reads a long document', async () => {
    const documentOf = (item: string) =>
      Buffer.from(`[${Array.from({ length: 300_000 }, () => item).join()}]`);
    for (const item of ['1', '"a\\n"', '{"a":"é"}', '9007199254740993', '[]']) {
      let turns = 0;
      let isOver = false;
      const count = (): void => {
        turns += 1;
        if (!isOver) setImmediate(count);
      };
      setImmediate(count);
      await readJson(documentOf(item));
      isOver = true;
      expect(turns).toBeGreaterThan(2);
    }
  });
});
