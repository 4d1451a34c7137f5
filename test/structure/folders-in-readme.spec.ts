import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/root';

function foldersIn(path: string): string[] {
  return readdirSync(join(ROOT, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

/** The first cells of the rows of its tables. */
function rowsOf(readme: string): string {
  const lines = readFileSync(join(ROOT, readme), 'utf8').split('\n');
  return lines.flatMap((line) => /^\|([^|]*)\|/.exec(line)?.[1] ?? []).join('\n');
}

describe('the tables of folders', () => {
  it('have each folder of src, in README.md', () => {
    const rows = rowsOf('README.md');
    const isNamed = (name: string) => new RegExp(`\`src/${name}[\`/]`).test(rows);
    expect(foldersIn('src').filter((name) => !isNamed(name))).toEqual([]);
    for (const folder of ['bench', 'clients', 'deploy', 'docs', 'portal', 'test'])
      expect(rows).toContain(`\`${folder}\``);
  });

  it('have each folder of test, in test/README.md', () => {
    const rows = rowsOf('test/README.md');
    expect(foldersIn('test').filter((name) => !rows.includes(`\`${name}\``))).toEqual([]);
  });
});
