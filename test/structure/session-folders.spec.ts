import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/root';

const SOURCE = join(ROOT, 'src');
/** A larger folder has to be split. */
const MOST_LINES = 2_500;

/** Lines of all sources below the folder, without specs. */
function linesIn(folder: string): number {
  const files = readdirSync(join(SOURCE, folder), { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'));
  return sources.reduce(
    (sum, file) => sum + readFileSync(join(SOURCE, folder, file), 'utf8').split('\n').length - 1,
    0,
  );
}

describe('the folders about sessions', () => {
  const folders = readdirSync(SOURCE).filter((name) =>
    /^(session|recording|journal|archive|retention|review-context)/.test(name),
  );

  it('are the ones that the README of sessions lists', () => {
    const readme = readFileSync(join(SOURCE, 'sessions/README.md'), 'utf8');
    const listed = [...readme.matchAll(/^\| (?:\[`([a-z-]+)`\]|`(sessions)` \(here\))/gm)];
    expect(new Set(listed.map(([, linked, here]) => linked ?? here))).toEqual(new Set(folders));
  });

  it.each(folders)('%s has at most 2 500 lines', (folder) => {
    expect(linesIn(folder)).toBeGreaterThan(100);
    expect(linesIn(folder)).toBeLessThanOrEqual(MOST_LINES);
  });
});
