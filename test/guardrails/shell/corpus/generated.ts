import { SeededRandom } from '../../corpus/random';

/** Writes text in a form that a shell reads as this one word. */
type Spelling = (word: string, random: SeededRandom) => string;
/** Makes a command of another command, with the same effect. */
type Structure = (command: string) => string;

const escaped = (text: string): string => text.replaceAll(/[\\$`"]/g, String.raw`\$&`);
const inSingle = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const inDouble = (text: string): string => `"${escaped(text)}"`;
const inAnsi = (text: string): string =>
  `$'${[...text].map((c) => (/[\w ]/.test(c) ? c : `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`)).join('')}'`;
const octal = (text: string): string =>
  [...text].map((c) => `\\${c.charCodeAt(0).toString(8).padStart(3, '0')}`).join('');

const QUOTED: readonly ((text: string) => string)[] = [
  (text) => text,
  inSingle,
  inDouble,
  inAnsi,
  (text) => [...text].map((c) => `\\${c}`).join(''),
  (text) => `$'${octal(text)}'`,
  (text) => `''${text}""`,
  (text) => [...text].join('\\\n'),
];

/** Spellings of a word of letters. Bash alone reads some of them. */
export const SPELLINGS: readonly Spelling[] = [
  (word) => word,
  (word, random) => random.pick(QUOTED)(word),
  (word, random) => [...word].map((character) => random.pick(QUOTED)(character)).join(''),
  (word, random) => [...word].map((character) => random.pick(QUOTED)(character)).join(''),
  (word) => `$(echo ${word})`,
  (word) => `\`printf %s ${word}\``,
  (word) => `$(printf '${octal(word)}')`,
  (word) => `\${unset_:-${word}}`,
  (word) => `{${word},}`,
];

const PROGRAM_PATHS = ['', '', '', '/bin/', '/usr/bin/', '//bin/.//', '/usr/bin/../../bin/'];

/** Programs and builtins that run the command in their arguments. */
export const WRAPPED: readonly Structure[] = [
  'command',
  'env',
  'env -i A=b',
  'env -u HOME --',
  'nice',
  'nice -n 5',
  'nohup',
  'timeout 9',
  'timeout -k 3 9s',
  'setsid -w',
  'stdbuf -oL',
  'ionice -c3',
  'taskset -c 0',
  'chrt -o 0',
  'flock lock',
  'A=1 B="x y"',
  '>out',
  '2>&1',
  '</dev/null',
  'runuser -u root --',
  'unshare',
  'setarch -R',
].map((before) => (command) => `${before} ${command}`);

/** Structures that contain one command, or several. */
export const STRUCTURES: readonly Structure[] = [
  (c) => `sh -c ${inSingle(c)}`,
  (c) => `bash -c ${inDouble(c)}`,
  (c) => `dash -ec ${inSingle(c)}`,
  (c) => `bash --norc -o pipefail -c ${inSingle(c)} name`,
  (c) => `bash -c ${inAnsi(c)}`,
  (c) => `eval ${inSingle(c)}`,
  (c) => `eval ${inDouble(c)}`,
  (c) => `eval "$(printf %s ${inSingle(c)})"`,
  (c) => `echo ${inSingle(c)} | sh`,
  (c) => `echo ${Buffer.from(c).toString('base64')} | base64 -d | bash`,
  (c) => `code=${inSingle(c)}; eval "$code"`,
  (c) => `echo ${inSingle(c)} > code; . ./code`,
  (c) => `bash <<'END'\n${c}\nEND\n`,
  (c) => `sh <<-"E N D"\n${c}\nE N D\n`,
  (c) => `: $(${c})`,
  (c) => `: "$(${c})"`,
  (c) => `: \`${c.replaceAll(/[\\$`]/g, String.raw`\$&`)}\``,
  (c) => `cat <<END\n$(${c})\nEND\n`,
  (c) => `: \${unset_:-$(${c})}`,
  (c) => `: $(( 1 + $(${c}; echo 1) ))`,
  (c) => `x=$(${c})`,
  (c) => `{ ${c}\n}`,
  (c) => `(${c}\n)`,
  (c) => `if ${c}\nthen :; fi`,
  (c) => `if false; then :; else ${c}\nfi`,
  (c) => `while ${c}\ndo break; done`,
  (c) => `for i in 1; do ${c}\ndone`,
  (c) => `case x in y) ;; (x|z) ${c}\n;; esac`,
  (c) => `f() { ${c}\n}; f`,
  (c) => `f() ( ${c}\n); f`,
  (c) => `! ${c}`,
  (c) => `true && ${c}`,
  (c) => `false || ${c}`,
  (c) => `true | ${c}`,
  (c) => `${c} &\nwait`,
  (c) => `: # it's a comment\n${c}`,
  (c) => `cat <<'END' > /dev/null\nit's "data\nEND\n${c}`,
  (c) => `trap ${inSingle(c)} EXIT; exit`,
  (c) => `find . -maxdepth 0 -exec sh -c ${inSingle(c)} \\;`,
  (c) => `echo x | xargs -I@ sh -c ${inSingle(c)}`,
  (c) =>
    `awk ${inSingle(`BEGIN { system("${c.replaceAll(/[\\"]/g, String.raw`\$&`).replaceAll('\n', '\\n')}") }`)}`,
  (c) => `[[ a || ${c} ]]`,
  (c) => `[[ -n a ]] && ${c}`,
  (c) => `((${c}))`,
  (c) => `: <(${c}); sleep 0.05`,
  (c) => `time ${c}`,
  (c) => `coproc { ${c}\n}; wait`,
];

export interface GeneratedForm {
  readonly text: string;
  /** Number of structures and wrappers around the command. */
  readonly depth: number;
}

/** Makes different forms of `program operand`, each the same at every run with this seed. */
export function generatedForms(
  program: string,
  operand: string,
  count: number,
  seed: number,
): GeneratedForm[] {
  const random = new SeededRandom(seed);
  const forms = new Map<string, GeneratedForm>();
  while (forms.size < count) {
    const path = random.pick(PROGRAM_PATHS);
    let text = `${path}${random.pick(SPELLINGS)(program, random)} ${random.pick(QUOTED)(operand)}`;
    let depth = 0;
    for (; random.below(3) === 0; depth += 1) text = random.pick(WRAPPED)(text);
    for (const levels = random.below(4); depth < levels; depth += 1) text = random.pick(STRUCTURES)(text);
    forms.set(text, { text, depth });
  }
  return [...forms.values()];
}
