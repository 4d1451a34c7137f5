import { spawnSync } from 'node:child_process';
import * as fc from '../../../../test/support/fast-check';
import { parseShell } from '../parser';
import { ANY } from './word';

/** Returns the words that a real shell makes of a text. */
function wordsOf(shell: 'bash' | 'dash', text: string): string[] {
  const { stdout, status, stderr } = spawnSync(`/bin/${shell}`, ['-c', `printf '%s\\0' first ${text}`], {
    encoding: 'utf8',
    env: { LC_ALL: 'C.UTF-8' },
    cwd: '/',
  });
  if (status !== 0) throw new Error(`${shell} refuses ${JSON.stringify(text)}: ${stderr}`);
  return stdout.split('\0').slice(0, -1);
}

/** Returns the words of each reading of the text. */
function wordsRead(text: string): (readonly string[])[] {
  const parsed = parseShell(`printf first ${text}`);
  if (parsed.kind !== 'commands') throw new Error(parsed.reason);
  return parsed.commands.filter(({ program }) => program === 'printf').map(({ args }) => args);
}

const character = fc.constantFrom(...'ab7 "\\$`#;&|\n\t{},=[]()<>!:%^-é😀');
const text = fc.array(character, { maxLength: 6 }).map((all) => all.join(''));
const single = text.map((inside) => `'${inside}'`);
const double = text.map((inside) => `"${inside.replaceAll(/[\\$`"]/g, String.raw`\$&`)}"`);
const loose = fc
  .array(fc.constantFrom('a', ' ', "'", '\\a', '\\\n', '\\\\', '\\$', '$ ', '$%', '#', '{', ',', '}'), {
    maxLength: 5,
  })
  .map((all) => `"${all.join('')}"`);
const escaped = fc.constantFrom(...'ab "\'\\$`#;&|{},()<>é').map((each) => `\\${each}`);
const bare = fc
  .array(fc.constantFrom(...'ab7:%^-+=@./é', '\\\n'), { minLength: 1, maxLength: 4 })
  .map((all) => all.join(''));
const braces = fc
  .array(fc.constantFrom('{', ',', '}', 'a', 'b', '\\,'), { minLength: 3, maxLength: 9 })
  .map((all) => all.join(''));
const ansi = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\\n',
        '\\t',
        '\\\\',
        "\\'",
        '\\"',
        '\\e',
        '\\x41',
        '\\x7',
        '\\101',
        '\\7',
        '\\u00e9',
        '\\U0001F600',
        '\\cA',
        '\\z',
        '\\?',
      ),
      fc.constantFrom(...'ab é"$`{'),
      fc.constantFrom('\\xc3\\xa9', '\\0', '\\x00z', '\\x{41}', '\\x'),
    ),
    { maxLength: 5 },
  )
  .map((all) => `$'${all.join('')}'`);

const severalWords = (pieces: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .array(
      fc.array(pieces, { minLength: 1, maxLength: 5 }).map((all) => all.join('')),
      { minLength: 1, maxLength: 3 },
    )
    .map((words) => words.join(' '));

/** Whether a comment or an option begins where the text has a word. */
const isWord = (words: string): boolean => !/(?:^|\s)#/.test(words.replaceAll('\\\n', ''));

describe('words', () => {
  it('are those that Bash makes of them', () => {
    const words = severalWords(fc.oneof(single, double, loose, escaped, bare, braces, ansi));
    fc.assert(
      fc.property(words.filter(isWord), (written) => {
        const read = wordsRead(written);
        // Unusual braces are not expanded, and known to be unknown.
        if (!read.some((all) => all.includes(ANY))) expect(read).toContainEqual(wordsOf('bash', written));
      }),
      {
        numRuns: 200,
        examples: [
          ['{a,b}{c,d}'],
          ['a{b,{c,d}e}f'],
          ['{a'],
          ['{}'],
          ['{a}'],
          ["$'a\\0b'c"],
          ['{,}'],
          // An empty word without quotes is none, whatever quotes the others have.
          ['{,\\,}'],
          ['{,"rm"}'],
          ['{,\\r}m'],
          ['{"",x}'],
          ["{,''}"],
          ['""{,x}'],
          ["{x,}''"],
          ["{$'',}"],
        ],
      },
    );
  });

  it('are those that dash makes of them', () => {
    const words = severalWords(fc.oneof(single, double, loose, escaped, bare, braces));
    fc.assert(
      fc.property(words.filter(isWord), (written) => {
        expect(wordsRead(written)).toContainEqual(wordsOf('dash', written));
      }),
      { numRuns: 150 },
    );
  });
});
