import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLASSES, type ProseClass, commentsIn, faultsOfProse } from '../support/prose';
import { ROOT } from '../support/root';
import allowed from './prose-allowed.json';

/** The classes are defined, and tried, with such sentences. */
const SELF = /^test\/(support\/prose|structure\/prose\.spec)\.ts$/;
/** A migration that has run is never changed; the rest is written by generators. */
const NOT_SEARCHED =
  /\/generated\/|\/migrations\/|^test\/client\/schema\.d\.ts$|^clients\/typescript\/src\/schema\.ts$/;

/**
 * The comments of the repository (docs/glossary.md, "Sentences"). What is left of each class may only become
 * less: who mends a comment lowers the number in prose-allowed.json.
 */
describe('the comments of the repository', () => {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })
    .toString()
    .split('\n')
    .filter((file) => /\.(ts|tsx|mjs|cjs)$/.test(file) && !NOT_SEARCHED.test(file) && !SELF.test(file));

  it.each(Object.keys(CLASSES) as ProseClass[])('have no new one with %s', (kind) => {
    const found: Record<string, string[]> = {};
    for (const file of files) {
      const lines = faultsOfProse(read(file)).filter((fault) => fault.kind === kind);
      for (const { line } of lines) (found[folderOf(file)] ??= []).push(`${file}:${line}`);
    }
    const counts = Object.fromEntries(Object.entries(found).map(([folder, { length }]) => [folder, length]));
    const left: Record<string, number> = allowed[kind];
    const grown = Object.keys(counts).filter((folder) => (counts[folder] ?? 0) > (left[folder] ?? 0));
    // Git does not say which of a folder's comments is new: all are shown.
    expect(Object.fromEntries(grown.map((folder) => [folder, found[folder]]))).toEqual({});
    expect(left).toEqual(counts);
  });

  it('stand above the code that they describe', () => {
    const left = files.flatMap((file) =>
      [...read(file).matchAll(/\*\/\n(?=[ \t]*(?:\/\*\*|\}|$(?![^])))/g)].map(
        ({ input, index }) => `${file}:${input.slice(0, index).split('\n').length}`,
      ),
    );
    expect(left).toEqual([]);
  });

  it('would be found', () => {
    const source = [
      '/** Of a line. */',
      'const a = 1;',
      '// Rows of a page.',
      '// The server says so.',
      '/**',
      ' * A `told` word, and',
      ' * somebody reads it.',
      ' */',
    ].join('\n');
    expect(commentsIn(source).map(({ line }) => line)).toEqual([1, 3, 5]);
    expect(faultsOfProse(source)).toEqual([
      { kind: 'no subject', line: 1 },
      { kind: 'machines that speak', line: 3 },
      { kind: 'nobody in particular', line: 5 },
    ]);
  });
});

/** A wing of src, or a folder at the top of the repository. */
function folderOf(file: string): string {
  const [top = '', wing = ''] = file.split('/');
  return top === 'src' && file.split('/').length > 2 ? `${top}/${wing}` : top;
}

function read(file: string): string {
  try {
    return readFileSync(join(ROOT, file), 'utf8');
  } catch {
    // Listed by git, and deleted since.
    return '';
  }
}
