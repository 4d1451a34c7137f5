import { ANY } from '../reading/word';
import { type Argument, baseName, isKnown } from './arguments';
import type { CodeArguments, CodeReader } from './code-reader';
import { type Doubt, type OptionSpec, hasOption, mayBeOption, readArguments, valuesOf } from './options';
import { isPartlyRead, isShell } from './shells';

const TOO_MANY = 'runs too many programs through one another';
const UNKNOWN_OPTIONS = 'runs a command behind options that are not known';
const OPENS_SHELL = 'opens a shell or an editor';
const OTHER: Argument = { text: ANY, splits: true };

function joined(args: readonly Argument[]): Argument {
  return { text: args.map(({ text }) => text).join(' '), splits: args.some(({ splits }) => splits) };
}

/** Returns words with `ANY` in place of each mark, which the program replaces. */
function withoutMark(words: readonly Argument[], mark: string): Argument[] {
  return words.map(({ text, splits }) => ({ text: text.replaceAll(mark, ANY), splits }));
}

/** Maximum number of commands of find that begin in others. */
const MAX_INSIDE = 16;

const EXECUTES = ['-exec', '-execdir', '-ok', '-okdir'];

/** Whether find may read a word as `-exec`. */
function mayExecute({ text }: Argument): boolean {
  const [start = ''] = text.split(ANY, 1);
  return text.includes(ANY) ? EXECUTES.some((name) => name.startsWith(start)) : EXECUTES.includes(text);
}

/** Returns the command after `-exec`. It ends at `;`, and at a `+` after `{}`. */
function executed(args: readonly Argument[], start: number): Argument[] {
  let end = start;
  const endsHere = (): boolean =>
    args[end]!.text === ';' || (args[end]!.text === '+' && args[end - 1]!.text === '{}');
  while (end < args.length && !endsHere()) end += 1;
  return withoutMark(args.slice(start, end), '{}');
}

/** An unknown word may be `-exec`, or end a command, so that each `-exec` counts, also one in a command. */
function ofFind(args: readonly Argument[]): CodeArguments {
  const words: Argument[][] = [];
  const doubts: Doubt[] = [];
  let [end, inside] = [0, 0];
  const lastEnd = args.findLastIndex((word) => /^[;+]$/.test(word.text) || !isKnown(word));
  for (const [at, word] of args.entries()) {
    if (word.splits && mayBeOption(word)) doubts.push({ kind: 'option', word });
    else if (mayExecute(word) && (at < lastEnd || isKnown(word))) {
      if (at < end && (inside += 1) > MAX_INSIDE) return { words, doubts, hides: TOO_MANY };
      const next = args[at + 1];
      if (isKnown(word) || (next !== undefined && isKnown(next))) {
        const command = executed(args, at + 1);
        words.push(command);
        end = Math.max(end, at + 1 + command.length);
      } else doubts.push({ kind: 'option', word });
    }
  }
  return { words, doubts };
}

const XARGS: OptionSpec = {
  valued: 'adEILnPs',
  flags: '0oprtx',
  attached: 'eil',
  longValued: 'arg-file delimiter max-args max-chars max-procs',
  longFlags: 'eof replace max-lines null interactive no-run-if-empty verbose exit open-tty show-limits',
};

function ofXargs(args: readonly Argument[]): CodeArguments {
  const read = readArguments(XARGS, args);
  const { operands, doubts, given } = read;
  if (read.hasUnknown) return { hides: UNKNOWN_OPTIONS };
  if (operands.length === 0) return { doubts };
  const replaced = given.find(({ name }) => /^(?:I|i|replace)$/.test(name));
  if (replaced === undefined) return { words: [[...operands, OTHER]], doubts };
  const mark = replaced.value ?? { text: '{}', splits: false };
  return isKnown(mark) ? { words: [withoutMark(operands, mark.text)], doubts } : { hides: UNKNOWN_OPTIONS };
}

const SU: OptionSpec = {
  valued: 'cgGsTw',
  flags: 'flmpP',
  longValued: 'command session-command group supp-group shell whitelist-environment',
  longFlags: 'fast login preserve-environment pty no-pty',
  permutes: true,
};

/** Reads the arguments of `su`. More than a user goes to the shell. */
function ofSu(args: readonly Argument[]): CodeArguments {
  const read = readArguments(SU, args);
  const texts = valuesOf(read, 'c', 'command', 'session-command');
  const shells = valuesOf(read, 's', 'shell').filter(
    (shell) => !(isKnown(shell) && isShell(baseName(shell.text)) && !isPartlyRead(baseName(shell.text))),
  );
  const others = read.operands.filter(({ text }) => text !== '-').length > 1;
  const hides = read.hasUnknown ? UNKNOWN_OPTIONS : texts.length === 0 || others ? OPENS_SHELL : undefined;
  return { texts, words: shells.map((shell) => [shell, OTHER]), hides, doubts: read.doubts };
}

function ofRunuser(args: readonly Argument[]): CodeArguments {
  const read = readArguments(
    { ...SU, valued: 'cgGsTwu', longValued: `${SU.longValued} user`, permutes: false },
    args,
  );
  if (!hasOption(read, 'u', 'user') || read.hasUnknown) return ofSu(args);
  return { words: [read.operands], doubts: read.doubts };
}

/** Reads the arguments of `sg`, which is `su` for a group, and does not need `-c`. */
function ofSg(args: readonly Argument[]): CodeArguments {
  const texts = args.slice(1).filter(({ text }) => text !== '-c');
  return texts.length === 0 ? { hides: OPENS_SHELL } : { texts: [...texts, joined(texts)] };
}

/** Reads the arguments of `capsh`, which gives those after `--` or `==` to a shell. */
function ofCapsh(args: readonly Argument[]): CodeArguments {
  const at = args.findIndex((word) => word.text === '--' || word.text === '==' || !isKnown(word));
  const isKept = args.every(({ text }) => !/^--(?:shell|chroot|user|secbits)/.test(text));
  if (at === -1) return {};
  return isKept && isKnown(args[at]!)
    ? { words: [[{ text: 'bash', splits: false }, ...args.slice(at + 1)]] }
    : { hides: UNKNOWN_OPTIONS };
}

const WATCH: OptionSpec = {
  valued: 'nqs',
  flags: 'bcCefgprtvwx',
  attached: 'd',
  longValued: 'interval equexit shotsdir',
  longFlags:
    'beep color no-color differences errexit follow chgexit precise no-rerun no-title no-linewrap no-wrap exec',
};

function ofWatch(args: readonly Argument[]): CodeArguments {
  const read = readArguments(WATCH, args);
  const { hasUnknown, operands, doubts } = read;
  if (hasUnknown) return { hides: UNKNOWN_OPTIONS };
  const words = hasOption(read, 'x', 'exec') ? [operands] : [];
  return operands.length === 0 ? {} : { texts: [joined(operands)], words, doubts };
}

function ofTrap(args: readonly Argument[]): CodeArguments {
  const rest = args[0]?.text === '--' ? args.slice(1) : args;
  const [code] = rest;
  return code === undefined || rest.length < 2 || code.text === '-' || /^-[lpP]/.test(code.text)
    ? {}
    : { texts: [code] };
}

/** Returns the words after options with these names, and what stands after `=`. */
function after(args: readonly Argument[], option: RegExp): Argument[] {
  return args.flatMap((word, at) => {
    const { text, splits } = word;
    if (option.test(args[at - 1]?.text ?? '')) return word;
    const [name = ''] = text.split('=', 1);
    return name !== text && option.test(name) ? { text: text.slice(name.length + 1), splits } : [];
  });
}

/** Programs whose arguments have commands in them. */
export const COMMAND_READERS: Readonly<Record<string, CodeReader>> = {
  eval: (args) =>
    args.length === 0 ? {} : { texts: [joined(args[0]?.text === '--' ? args.slice(1) : args)] },
  trap: ofTrap,
  find: ofFind,
  xargs: ofXargs,
  su: ofSu,
  runuser: ofRunuser,
  sg: ofSg,
  capsh: ofCapsh,
  watch: ofWatch,
  flock: (args) => ({ texts: after(args, /^-\w*c$|^--c/) }),
  env: (args) => (args.some(({ text }) => /^-\w*S|^--s/.test(text)) ? { hides: UNKNOWN_OPTIONS } : {}),
  certbot: (args) => ({ texts: after(args, /^--.*hook$/) }),
};
