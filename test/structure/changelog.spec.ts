import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/root';

/** Merges take the lines of both sides of CHANGELOG.md, so a line that one of them changed is there twice. */
describe('each part of the changelog', () => {
  const parts = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').split(/^#{2,3} /m);

  it('names a feature, and says a sentence, once', () => {
    const twice = parts.flatMap((part) => {
      const [title = ''] = part.split('\n');
      const lines = part.split('\n').filter((line) => line.startsWith('- '));
      const names =
        title === 'What you can do' ? lines.flatMap((line) => line.match(/\*\*.+?\*\*/) ?? []) : [];
      return [...lines, ...names].filter((text, at, all) => all.indexOf(text) !== at);
    });
    expect(parts.length).toBeGreaterThan(2);
    expect(twice).toEqual([]);
  });
});
