import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from '../../../test/support/fast-check';
import { parseShell } from './parser';

/** Pieces of scripts that shells read in surprising ways. */
const PIECES = [
  'rm x',
  'rm',
  ' ',
  ' ',
  '\n',
  '\n',
  ';',
  "'",
  '"',
  '\\',
  '$(',
  ')',
  '(',
  '`',
  '|',
  '&&',
  '||',
  '&',
  '{ ',
  '; }',
  '}',
  'if ',
  'then ',
  'else ',
  'fi',
  'case a in ',
  'case a in a) ',
  'esac',
  ' in ',
  ';;',
  'a)',
  '<<E\n',
  '<<-E\n',
  "<<'E'\n",
  '<<"E"',
  '\nE\n',
  '\tE\n',
  '((',
  '))',
  '[[ ',
  ' ]]',
  '#',
  ' #',
  "$'",
  '\\x27',
  '${x:-',
  '${x',
  '$x',
  '"$x"',
  '"$@"',
  '&>',
  '>(',
  '<(',
  '<',
  '>',
  '>>',
  '2>',
  '>&2',
  '<<<',
  'for i in ',
  'for i',
  'do ',
  'done',
  '! ',
  'function f ',
  'f()',
  'f',
  'a=(',
  'a=',
  'a[',
  ']=',
  ']',
  'eval ',
  'sh -c ',
  'trap ',
  ' EXIT',
  'time ',
  '$((',
  '$[',
  '@(',
  '!(',
  '=~ ',
  'x',
  'ls',
  'echo ',
  '~',
  '*',
  '?',
  '{a,',
  ',b}',
  ',',
  '..',
  '\\\n',
  '\t',
  'E',
  '$',
  '%',
  '-',
  'exec ',
  'command ',
  'true',
  'false',
  ';&',
  '|&',
  '{fd}>',
  '1',
  '"$(',
  ')"',
  '\r',
  'env ',
  'A=b ',
];

/** Everything that a real shell runs of a random text is found, or the text is known to hide something. */
describe('what shells run of random texts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shell-soundness-'));
  const bin = join(folder, 'bin');
  const ran = join(folder, 'ran');

  beforeAll(() => {
    mkdirSync(bin);
    const program = (name: string, script: string): void => {
      writeFileSync(join(bin, name), `#!/bin/dash\n${script}\n`);
      chmodSync(join(bin, name), 0o755);
    };
    program('rm', `: > ${ran}`);
    program('sh', 'exec /bin/dash "$@"');
    program('env', 'exec "$@"');
    for (const name of ['ls', 'x', 'E']) program(name, ':');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const runs = (shell: string, script: string): boolean => {
    rmSync(ran, { force: true });
    spawnSync(`/bin/${shell}`, ['-c', script], {
      cwd: folder,
      env: { PATH: bin, HOME: folder },
      stdio: 'ignore',
      timeout: 2_000,
      killSignal: 'SIGKILL',
    });
    return existsSync(ran);
  };

  it.each(['bash', 'dash'])('%s', (shell) => {
    const pieces = fc.constantFrom(...PIECES);
    const soup = fc.array(pieces, { minLength: 2, maxLength: 14 }).map((all) => all.join(''));
    const around = fc
      .tuple(
        fc.array(pieces, { maxLength: 6 }),
        fc.constantFrom(';rm x;', '\nrm x\n'),
        fc.array(pieces, { maxLength: 4 }),
      )
      .map(([before, command, after]) => `${before.join('')}${command}${after.join('')}`);
    fc.assert(
      fc.property(fc.oneof(soup, around), (script) => {
        const parsed = parseShell(script);
        const isFound =
          parsed.kind !== 'commands' ||
          parsed.hidden.length > 0 ||
          parsed.commands.some(({ program }) => /(?:^|\/)rm$/.test(program));
        if (!isFound) expect([script, runs(shell, script)]).toEqual([script, false]);
      }),
      { numRuns: 1_000 },
    );
  });
});
