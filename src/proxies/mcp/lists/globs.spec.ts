import * as fc from '../../../../test/support/fast-check';
import { isAllowed, isAllowedUri, matchesAny, matchesVisibly } from './globs';

const list = (allowed: string[], denied: string[] = []) => ({ allowed, denied });

/** A small alphabet, so that patterns often match. One character is outside the Basic Multilingual Plane. */
const letters = fc.constantFrom('a', 'b', 'A', '/', '.', '\n', 'é', '😀');
const nameText = fc.array(letters, { maxLength: 90 }).map((all) => all.join(''));
const globText = fc
  .array(fc.oneof(letters, fc.constantFrom('*', '?')), { maxLength: 80 })
  .map((all) => all.join(''));

/** A name that the pattern must match, made by replacing each star and question mark with letters. */
const matching = (glob: string) =>
  fc
    .infiniteStream(letters)
    .chain((some) =>
      fc.constant(
        [...glob]
          .map((part) =>
            part === '*' ? [...some.take(2)].join('') : part === '?' ? some.next().value : part,
          )
          .join(''),
      ),
    );

function asRegExp(glob: string): RegExp {
  const source = [...glob].map((part) => {
    if (part === '*') return '.*';
    return part === '?' ? '.' : part.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
  });
  return new RegExp(`^${source.join('').replaceAll(/(\.\*)+/g, '.*')}$`, 'su');
}

describe('patterns for names', () => {
  it('match what the same regular expressions match', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(letters, fc.constantFrom('*', '?')), { maxLength: 12 }).map((all) => all.join('')),
        fc.array(letters, { maxLength: 14 }).map((all) => all.join('')),
        (glob, name) => matchesAny([glob], name) === asRegExp(glob).test(name),
      ),
      { numRuns: 5_000 },
    );
  });

  it('match every name made from them, also beyond one word of states', () => {
    fc.assert(
      fc.property(
        globText.chain((glob) => fc.tuple(fc.constant(glob), matching(glob))),
        ([glob, name]) => matchesAny([glob], name),
      ),
      { numRuns: 2_000 },
    );
  });

  // promises: TOOL-3
  it('deny what is denied, whatever allows it', () => {
    fc.assert(
      fc.property(
        fc.array(globText, { maxLength: 4 }),
        globText.chain((glob) => fc.tuple(fc.constant(glob), matching(glob))),
        (allowed, [denied, name]) =>
          !isAllowed(list([...allowed, '*'], [denied]), name) && !isAllowed(list([], [denied]), name),
      ),
    );
  });

  it('allow all names where nothing is named, and else only what matches', () => {
    fc.assert(
      fc.property(
        fc.array(globText, { minLength: 1, maxLength: 4 }),
        nameText,
        (allowed, name) =>
          isAllowed(list([]), name) && isAllowed(list(allowed), name) === matchesAny(allowed, name),
      ),
    );
  });

  it.each<[string, string, boolean]>([
    ['delete_*', 'delete_all', true],
    ['delete_*', 'delete_', true],
    ['delete_*', 'undelete_all', false],
    ['delete_*', 'Delete_all', false],
    ['*', '', true],
    ['', '', true],
    ['', 'a', false],
    ['?', '😀', true],
    ['file:///*', 'file:///etc/passwd', true],
    ['caf\u00E9', 'cafe\u0301', true],
    ['caf?', 'cafe\u0301', true],
    ['a.b', 'aXb', false],
    ['[ab]', 'a', false],
  ])('%s and %j: %s', (glob, name, matches) => {
    expect(matchesAny([glob], name)).toBe(matches);
  });

  // promises: TOOL-3
  it('deny a name in which an invisible character was hidden, and do not allow it', () => {
    expect(isAllowed(list([], ['delete_all']), 'delete\u200B_all')).toBe(false);
    expect(isAllowed(list(['delete_all']), 'delete\u200B_all')).toBe(false);
  });

  it('neither deny nor allow a long name where nothing is named, and else do not allow it', () => {
    const [fits, long] = ['a'.repeat(2_048), 'a'.repeat(2_049)];
    expect([list([]), list([], ['b']), list(['*'])].map((one) => isAllowed(one, fits))).toEqual([
      true,
      true,
      true,
    ]);
    expect([list([]), list([], ['b']), list(['*'])].map((one) => isAllowed(one, long))).toEqual([
      true,
      false,
      false,
    ]);
    // A name that is too long to compare counts as a match, unless the list of patterns is empty.
    expect(matchesVisibly(['b'], long)).toBe(true);
    expect(matchesVisibly([], long)).toBe(false);
  });

  // promises: TOOL-3
  it('do no more work for the worst pattern than for the best', () => {
    const worst = `${'*a'.repeat(120)}b`;
    // A matcher that backtracks would not come to an end.
    expect(matchesAny([worst], 'a'.repeat(100_000))).toBe(false);
    expect(matchesAny([worst], `${'a'.repeat(100_000)}b`)).toBe(true);
  });

  // promises: TOOL-3
  describe('for URIs', () => {
    const denied = list([], ['file:///etc/*', 'https://host/admin*']);
    it.each([
      'file:///etc/passwd',
      'FILE:///etc/passwd',
      'file:///%65tc/passwd',
      'file:///%2565tc/passwd',
      'file:////etc//passwd',
      'file:///\\etc\\passwd',
      'file:///etc%2fpasswd',
      'file:///e\u200Btc/passwd',
      'https://HOST/admin/users',
      'https://host//admin',
      'https://host/%61dmin',
      'https://host/x/../admin',
    ])('deny each spelling: %s', (uri) => {
      expect(isAllowedUri(denied, uri)).toBe(false);
    });

    it.each([
      'file:///srv/../etc/passwd',
      'file:///srv/%2e%2e/etc/passwd',
      'file:///srv/%252e%252e/etc/passwd',
      'file:///srv/..%2fetc/passwd',
      'file:///srv/..\\etc',
      'file:///srv/..',
      'file:///srv/.%2E/etc',
      'file:///srv/..;/etc',
      'file:///srv/a?x=/../b',
    ])('do not allow what leads elsewhere: %s', (uri) => {
      expect(matchesAny(['file:///srv/*'], uri)).toBe(true);
      expect(isAllowedUri(list(['file:///srv/*']), uri)).toBe(false);
      expect(isAllowedUri(list([]), uri)).toBe(true);
    });

    it.each([
      'file:///srv/a%20b',
      'file:///srv/a..b/c.d',
      'file:///srv/{path}',
      'file:///srv/100%',
      'file:///srv/...',
    ])('allow what is meant: %s', (uri) => {
      expect(isAllowedUri(list(['file:///srv/*'], ['file:///etc/*']), uri)).toBe(true);
    });

    const PERCENT = ['', '%', '%25', '%2525'] as const;
    const hexOf = (letter: string) => letter.charCodeAt(0).toString(16);

    it('deny what is denied, however its bytes are encoded', () => {
      const path = 'etc/passwd';
      const encoded = fc
        .array(fc.integer({ min: 0, max: 3 }), { minLength: path.length, maxLength: path.length })
        .map((times) =>
          [...path]
            .map(
              (letter, index) =>
                `${PERCENT[times[index] ?? 0]}${times[index] === 0 ? letter : hexOf(letter)}`,
            )
            .join(''),
        );
      fc.assert(fc.property(encoded, (rest) => !isAllowedUri(denied, `file:///${rest}`)));
    });
  });
});
