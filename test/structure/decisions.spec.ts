import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/root';

const FOLDER = join(ROOT, 'docs', 'decisions');
const MAX_LINES = 45;
const HEADINGS = ['Figures', 'Decision'];
/** Lists of headings. The page of a decision needs one heading of each list. */
const ONE_OF: readonly (readonly string[])[] = [
  ['Context', 'The question'],
  ['What it costs', 'What would make us decide again'],
];
const VERDICTS = ['kept', 'removed', 'to measure'];

const read = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');
const pages = readdirSync(FOLDER).filter((file) => file.endsWith('.md') && file !== 'README.md');
const index = read('README.md');

/** Rows of the table below a heading, without the header row. */
function rowsBelow(heading: string): string[][] {
  const section = index.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const linked = (text: string): string[] =>
  [...text.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, file]) => file ?? '');
const paths = (text: string): string[] =>
  [...text.matchAll(/`((?:src|test|scripts|bench|docs|clients)\/[^`\s*]+)`/g)].map(([, path]) => path ?? '');

describe('decisions', () => {
  it('each page is in the table of pages, once, and each of its links leads to a page', () => {
    const rows = rowsBelow('Pages').flatMap(([page = '']) => linked(page));
    expect(rows.toSorted()).toEqual(pages.toSorted());
    expect(linked(index).filter((file) => !pages.includes(file))).toEqual([]);
  });

  it.each(pages)('%s has its headings, a title and at most 45 lines', (file) => {
    const text = read(file);
    const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading ?? '');
    expect(HEADINGS.filter((heading) => !headings.includes(heading))).toEqual([]);
    expect(ONE_OF.filter((names) => !names.some((name) => headings.includes(name)))).toEqual([]);
    expect(text).toMatch(/^# .+\n\nDecided (?:in|on) .*\d{4}/);
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_LINES);
  });

  it.each(['README.md', ...pages])('every file and folder that %s names exists', (file) => {
    expect(paths(read(file)).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('each second way names where it is, and has a verdict', () => {
    const rows = rowsBelow('Second ways');
    expect(rows.length).toBeGreaterThan(30);
    const wrong = rows.filter(([, where = '', times = '', , verdict = '']) => {
      const [word = ''] = verdict.split(/[:,;]/);
      const isNamed = word === 'removed' || paths(where).length > 0;
      return !VERDICTS.includes(word) || !isNamed || times === '';
    });
    expect(wrong).toEqual([]);
  });

  it('each bench that a second way is measured by exists', () => {
    const benches = rowsBelow('Second ways').flatMap(([, , , by = '']) =>
      [...by.matchAll(/`([a-z-]+)`/g)].map(([, name]) => `${name}.mjs`),
    );
    expect(benches.filter((file) => !existsSync(join(ROOT, 'bench', file)))).toEqual([]);
  });
});
