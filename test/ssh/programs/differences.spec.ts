import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DIFFERENCES } from './differences';
import { PROGRAMS, PYTHON_PACKAGES } from './programs';
import { SERVERS } from './servers';

const read = (name: string): string => readFileSync(join(__dirname, name), 'utf8');

/** Rows of the table below a heading of README.md, each as its cells. */
function rowsBelow(heading: string): string[][] {
  const [, part = ''] = read('README.md').split(`\n## ${heading}\n`);
  const [text = ''] = part.split('\n## ');
  const rows = text.split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(1).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe('README.md of the SSH programs', () => {
  it('lists all programs', () => {
    expect(rowsBelow('Programs').map(([name]) => name)).toEqual(PROGRAMS.map(({ name }) => name));
  });

  it('has the pinned versions', () => {
    const pinned = [
      ...PYTHON_PACKAGES.map((one) => one.split('==')[1]),
      ...[...read('go/go.mod').matchAll(/^\t\S+ v(\S+)$/gm)].map(([, version]) => version),
      /<version>(\d+\.\S+)<\/version>/.exec(read('java/pom.xml'))?.[1],
    ];
    expect(pinned).toHaveLength(6);
    const shown = rowsBelow('Programs').flatMap(([, versions = '']) => versions.split(/[ ,]+/));
    expect(shown).toEqual(expect.arrayContaining(pinned));
  });

  it('lists all servers', () => {
    expect(rowsBelow('Servers').map(([name]) => name)).toEqual(SERVERS.map(({ name }) => name));
  });

  it('lists all differences, with their reasons', () => {
    const expected = DIFFERENCES.map(({ program, check, servers, reason }) => [
      program,
      check,
      servers.join(', '),
      reason,
    ]);
    expect(rowsBelow('Differences')).toEqual(expected);
  });

  it('lists the pairs that do not work without the gateway either', () => {
    const pairs = PROGRAMS.flatMap(({ name, without = {} }) =>
      Object.entries(without).map(([server, reason]) => [name, server, reason]),
    );
    expect(rowsBelow('Pairs that are not tried')).toEqual(pairs);
  });
});
