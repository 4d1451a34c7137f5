import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from '../support/root';

/** Path of this file. It is not searched, because it contains the search words itself. */
const SELF = relative(ROOT, __filename);
const FAST_CHECK = 'test/support/fast-check.ts';

/** Files that use random numbers without a seed, but whose test results do not depend on them. */
const HARMLESS: Record<string, string> = {
  'test/support/seed.ts': 'draws the seed',
  'test/support/database.ts': 'waits before it tries again',
  'test/support/free-port.ts': 'begins at a port where another run does not',
  'test/support/jest/leaks.spec.ts': 'is replaced, as a file that leaves something behind would',
  'test/support/latch.ts': 'takes a lock that nothing else has',
};

/** A failed random test can be repeated, because it prints its seed. */
describe('random tests', () => {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })
    .toString()
    .split('\n')
    .filter((file) => file !== SELF && /^(test|src|portal|clients)\/.*\.tsx?$/.test(file))
    .filter((file) => file.startsWith('test/') || /[.-]spec\.tsx?$/.test(file))
    .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }));
  const having = (what: RegExp) => files.filter(({ text }) => what.test(text)).map(({ file }) => file);

  it('are searched in all tests', () => {
    expect(files.length).toBeGreaterThan(700);
    expect(having(/\/fast-check'/).length).toBeGreaterThan(90);
  });

  it('take fast-check from one place, which scales their runs and prints how to repeat them', () => {
    expect(having(/(from|require\() ?'fast-check'/)).toEqual([FAST_CHECK]);
    // These functions of fast-check would bypass FAST_CHECK.
    expect(having(/\bfc\.(check|statistics|configureGlobal)\(/)).toEqual([]);
  });

  it('take samples of a generator from a seed that stands there', () => {
    const samples = files.flatMap(({ file, text }) =>
      [...text.matchAll(/\bfc\.sample\(/g)].map(({ index }) => ({ file, call: callAt(text, index) })),
    );
    expect(samples.length).toBeGreaterThan(1);
    expect(samples.filter(({ call }) => !/\bseed: \d+/.test(call))).toEqual([]);
  });

  it('draw nothing without a seed', () => {
    const drawing = having(/\bMath\.random\(|\brandomInt\(/);
    expect(drawing.toSorted()).toEqual(Object.keys(HARMLESS).toSorted());
  });

  it('that draw by themselves have their seed in their name, or always the same one', () => {
    const drawn = /\b(?:new (?:SeededRandom|Draw|Random)|chances)\(([^)]*)\)/g;
    const unnamed = files
      .filter(({ file }) => /[.-]spec\.ts$/.test(file))
      .filter(({ text }) => [...text.matchAll(drawn)].some(([, from = '']) => !/^[\d_]+$/.test(from)))
      .filter(({ text }) => !SEED_IN_NAME.test(text));
    expect(unnamed.map(({ file }) => file)).toEqual([]);
    const seeded = files.filter(({ file, text }) => /\/seed'/.test(text) && /[.-]spec\.ts$/.test(file));
    expect(seeded.length).toBeGreaterThan(3);
    // A property needs no seed in its name, because fast-check.ts prints the seed.
    const silent = seeded.filter(({ text }) => !SEED_IN_NAME.test(text) && !/\bseed: START\b/.test(text));
    expect(silent.map(({ file }) => file)).toEqual([]);
  });
});

const SEED_IN_NAME = /\b(?:describe|it|test)\w*\(\s*`[^`]*from seed \$\{/;

/** Returns the call that begins at the index `from`, up to its closing bracket. */
function callAt(text: string, from: number): string {
  let depth = 0;
  for (let at = text.indexOf('(', from); at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return text.slice(from, at + 1);
  }
  return text.slice(from);
}
