import * as fc from '../../../test/support/fast-check';
import { sourceOf } from './byte-class';
import { compilePattern } from './pattern-set';
import { patternWindow } from './pattern-window';

const windowed = (pattern: string) => patternWindow(compilePattern(pattern));
const source = (pattern: string) => windowed(pattern).classes.map(sourceOf).join('');

describe('the window of a pattern', () => {
  it.each([
    ['abc', 3],
    ['(?i)union\\s+select', 8],
    ['\\d{3}-\\d{2}-\\d{4}', 8],
    ['\\b(?:secret|token)s?\\b', 5],
    ['a|bc', 1],
    ['x+', 1],
    ['^a\\z', 1],
    ['a*', 0],
    ['', 0],
    ['.b', 0],
    ['[^a]b', 0],
    ['é', 0],
    ['ab[é]c', 2],
    ['(?i)k', 1],
    ['\\pL', 0],
  ])('of %s has %i places', (pattern, length) => {
    expect(windowed(pattern).classes).toHaveLength(length);
  });

  it.each([
    ['secret', true],
    ['a.b', true],
    ['(?m)^a$', true],
    ['\\ba\\b', true],
    ['[a-z ]+', true],
    ['(?s)a.b', false],
    ['a\\sb', false],
    ['[^a]b', false],
    ['a\nb', false],
    ['\\Wa', false],
    ['^a', false],
    ['a$', false],
    ['\\Aa', false],
    ['a\\z', false],
  ])('keeps to lines: %j %s', (pattern, keeps) => {
    expect(windowed(pattern).keepsToLines).toBe(keeps);
  });

  const atom = fc.constantFrom(
    'a',
    'B',
    'k',
    's',
    '\\d',
    '[a-c]',
    '[^b]',
    '.',
    '\\s',
    '-',
    '\\b',
    'é',
    '(?i:ks)',
    '\\w',
    'x',
  );
  const made = fc.letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small' },
      atom,
      fc.tuple(tie('node'), tie('node')).map(([a, b]) => `${a}${b}`),
      fc.tuple(tie('node'), tie('node')).map(([a, b]) => `(?:${a}|${b})`),
      fc.tuple(tie('node'), fc.constantFrom('?', '*', '+', '{2}', '{1,3}')).map(([a, m]) => `(?:${a})${m}`),
    ),
  })).node;

  it('is at the beginning of every match', () => {
    fc.assert(
      fc.property(
        made,
        fc.string({ unit: fc.constantFrom(...'aBbkKsSx-1 \né'), maxLength: 30 }),
        (pattern, text) => {
          const window = new RegExp(source(pattern), 'y');
          const matcher = compilePattern(pattern).matcher(text);
          while (matcher.find()) {
            window.lastIndex = matcher.start();
            expect([pattern, text, window.test(text)]).toEqual([pattern, text, true]);
            if (windowed(pattern).keepsToLines) expect(matcher.group()).not.toContain('\n');
          }
        },
      ),
      { numRuns: 3_000 },
    );
  });
});
