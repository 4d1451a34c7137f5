import { volume } from '../../../test/support/volume';
import type { ShellFacts } from './facts/facts';
import { parseShell } from './parser';

function factsOf(text: string): ShellFacts {
  const parsed = parseShell(text);
  if (parsed.kind !== 'commands') throw new Error(parsed.reason);
  return parsed;
}

const hiddenIn = (text: string): string[] => [...new Set(factsOf(text).hidden.map(({ reason }) => reason))];

describe('texts that are too much', () => {
  it('are unparseable if no shell could be given them', () => {
    expect(parseShell('a\0b')).toEqual({ kind: 'unparseable', reason: 'contains a NUL character' });
    expect(parseShell('a\ud800')).toEqual({ kind: 'unparseable', reason: 'is not well-formed Unicode' });
  });

  it('are hidden where they nest too deeply, or run too much', () => {
    for (const unit of ['$(', '${a:-', '"$(', '$((', '<(', 'a=('])
      expect([unit, hiddenIn(unit.repeat(500)).join()]).toEqual([
        unit,
        expect.stringMatching(/deeply|cannot be parsed/),
      ]);
    let nested = 'rm x';
    for (let level = 0; level < 14; level += 1) nested = `eval ${JSON.stringify(nested)}`;
    expect(hiddenIn(nested).join()).toMatch(/nests too deeply to be read|too long to be read/);
    expect(hiddenIn(`${'env '.repeat(30)}rm x`)).toEqual(['runs too many programs through one another']);
  });

  it('are hidden where many commands read one long text', () => {
    const script = `find . ${'-exec sh \\; '.repeat(2_000)}<<E\n${'ls\n'.repeat(9_000)}E\n`;
    expect(hiddenIn(script)).toContain('runs texts that are too long to be read');
  });

  it('are hidden where braces make many words, of which each may be a program', () => {
    const words = `${'{/bin/a,/bin/b}'.repeat(8)} `;
    const { commands, hidden } = factsOf(`frob ${words.repeat(30)}`);
    expect(hidden.length).toBeGreaterThan(0);
    const size = commands.reduce((sum, { args }) => sum + args.length + 1, 0);
    expect(size).toBeLessThan(10_000);
  });

  // Code that takes quadratic time would need hours for these texts.
  it.each([
    "'\n",
    ";;'",
    'a[',
    '<<a <<b } ',
    'find -exec ',
    'find -exec a \\; ',
    ')"',
    '|rm x',
    '(',
    ')',
    '{a,',
    "sh -c '",
    '`',
    '`a` ',
    'a=(',
    'cat <<E\n\\\n',
    '\\\n',
    "''",
    'sed s/ ',
    'docker run sudo ',
    '$x ',
    'sudo ',
    'env -x ',
    'xargs ',
    'case a in ',
    'if ',
    '{ ',
    '#',
    '\n',
    ';',
    'a=b ',
    'export a=b ',
    '"$@"',
    '~/',
    '*',
    '[',
    'x*[',
    'aaaa-[',
    '$a\\\n',
    'frob sudo ',
    'frob env -x ',
    'flock f -c ',
    '"$x" ',
    'find "$x" ',
    '{a,b}',
    `${'{a,b}'.repeat(8)} `,
    "$'",
    '&>',
    '\ud83d\ude00',
  ])('take linear time: much of %j', (unit) => {
    const script = unit.repeat(Math.ceil(volume(2 ** 16, 2 ** 19) / unit.length));
    expect(factsOf(script).hidden.length).toBeLessThan(3_000);
  });
});
