import { ANY } from '../reading/word';
import { type Argument, isKnown, meansOption } from './arguments';
import { isHarmlessAwk, isHarmlessSed } from './stream-editors';
import { assignmentHides } from './variables';

/** Code and commands in the arguments of a program, in another form than that of `sudo`. */
export interface CodeArguments {
  /** Texts that are run as scripts. */
  readonly texts?: readonly Argument[];
  /** Commands that are run. */
  readonly words?: readonly (readonly Argument[])[];
  /** Reason why it runs something that is not read. */
  readonly hides?: string | undefined;
}

const NOT_READ = 'runs a script that is not read';
const OPENS_SHELL = 'opens a shell or an editor';
const OTHER: Argument = { text: ANY, splits: true };
/** A remote shell for `rsync -e` that runs nothing here. */
const PLAIN_SSH = /^ssh(?: -[46ATaqx]+| -[pil] ?[\w@./:~-]+| -o ?(?!\w*command)\w+=[\w@./:~-]+)*$/i;

type Reader = (args: readonly Argument[]) => CodeArguments;

/** Returns the values of an option, in the next argument, after `=`, or after its letter. */
function valuesOf(args: readonly Argument[], letter: string, long = ''): Argument[] {
  const ends = new RegExp(letter === '' ? '^$' : `^-[A-Za-z]*${letter}$`);
  return args.flatMap(({ text, splits }, at) => {
    if (ends.test(text) || text === long) return args[at + 1] ?? [];
    if (letter !== '' && text.startsWith(`-${letter}`)) return { text: text.slice(2), splits };
    if (long === '' || !text.includes('=') || !meansOption(text, [long])) return [];
    return { text: text.slice(text.indexOf('=') + 1), splits };
  });
}

function joined(args: readonly Argument[]): Argument {
  return { text: args.map(({ text }) => text).join(' '), splits: args.some(({ splits }) => splits) };
}

function ofFind(args: readonly Argument[]): CodeArguments {
  const words: Argument[][] = [];
  for (let at = 0; at < args.length; at += 1) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(args[at]!.text)) continue;
    let end = at + 1;
    while (end < args.length && args[end]!.text !== ';' && args[end]!.text !== '+') end += 1;
    const command = args.slice(at + 1, end);
    words.push(command.map(({ text, splits }) => ({ text: text.replaceAll('{}', ANY), splits })));
    at += command.length;
  }
  return { words };
}

const XARGS_OPTION =
  /^-(?:[0oprtx]+|[ilens]\d*|[adEILnPs]|[aEILnPs].+|d.+|-(?:null|no-run-if-empty|verbose|exit|open-tty)|-[a-z-]+=.*|-(?:replace|max-args|max-procs|delimiter|arg-file|max-lines|max-chars|eof))$/;
const XARGS_VALUED = /^-(?:[0oprtx]*[adEILnPs]|-(?:max-args|max-procs|delimiter|arg-file|max-chars))$/;

function ofXargs(args: readonly Argument[]): CodeArguments {
  let at = 0;
  let replaced: string | undefined;
  for (; at < args.length && args[at]!.text.startsWith('-'); at += 1) {
    const { text } = args[at]!;
    if (text === '--') {
      at += 1;
      break;
    }
    if (!isKnown(args[at]!) || !(XARGS_OPTION.test(text) || XARGS_VALUED.test(text)))
      return { hides: NOT_READ };
    if (/^-(?:i|-replace)$/.test(text)) replaced = '{}';
    const inline = /^-(?:I|i|-replace=)(.+)$/.exec(text)?.[1];
    if (inline !== undefined) replaced = inline;
    if (!XARGS_VALUED.test(text)) continue;
    at += 1;
    if (text.endsWith('I')) replaced = args[at]?.text;
  }
  const command = args.slice(at);
  if (command.length === 0) return {};
  const mark = replaced;
  if (mark === undefined) return { words: [[...command, OTHER]] };
  return { words: [command.map(({ text, splits }) => ({ text: text.replaceAll(mark, ANY), splits }))] };
}

function ofSu(args: readonly Argument[]): CodeArguments {
  const texts = [...valuesOf(args, 'c', '--command'), ...valuesOf(args, '', '--session-command')];
  return texts.length === 0 ? { hides: OPENS_SHELL } : { texts };
}

function ofRunuser(args: readonly Argument[]): CodeArguments {
  const texts = valuesOf(args, 'c', '--command');
  const hasUser = args.some(({ text }) => /^-\w*u|^--user/.test(text));
  return texts.length > 0 || hasUser ? { texts } : { hides: OPENS_SHELL };
}

function ofSed(args: readonly Argument[]): CodeArguments {
  const isFile = args.some(({ text }) => /^-[nrEsuz]*f|^--file/.test(text));
  const given = [...valuesOf(args, 'e', '--expression')];
  const first = args.find(({ text }) => !text.startsWith('-'));
  const scripts = given.length > 0 ? given : first === undefined ? [] : [first];
  const isHarmless = scripts.every((script) => isKnown(script) && isHarmlessSed(script.text));
  return isFile || !isHarmless ? { hides: NOT_READ } : {};
}

function ofAwk(args: readonly Argument[]): CodeArguments {
  let at = 0;
  for (; at < args.length && args[at]!.text.startsWith('-'); at += 1) {
    const { text } = args[at]!;
    if (text === '--') {
      at += 1;
      break;
    }
    if (text === '-F' || text === '-v') at += 1;
    else if (
      !/^-[Fv]./.test(text) &&
      !/^--(?:field-separator|assign)=|^--?(?:posix|re-interval|version)$/.test(text)
    )
      return { hides: NOT_READ };
  }
  const program = args[at];
  const isHarmless = program === undefined || (isKnown(program) && isHarmlessAwk(program.text));
  return isHarmless ? {} : { hides: NOT_READ };
}

function ofTrap(args: readonly Argument[]): CodeArguments {
  const rest = args[0]?.text === '--' ? args.slice(1) : args;
  const [code] = rest;
  return code === undefined || rest.length < 2 || code.text === '-' || /^-[lpP]/.test(code.text)
    ? {}
    : { texts: [code] };
}

function ofWatch(args: readonly Argument[]): CodeArguments {
  const at = args.findIndex(
    ({ text }, index) =>
      !text.startsWith('-') && !/^-(?:\w*[nq]|-interval)$/.test(args[index - 1]?.text ?? ''),
  );
  return at === -1 ? {} : { texts: [joined(args.slice(at))] };
}

/** Checks the names of variables into which a command reads. */
function names(args: readonly Argument[]): CodeArguments {
  return {
    hides: args.map(({ text }) => assignmentHides(text, ANY, '')).find((reason) => reason !== undefined),
  };
}

const READERS: Readonly<Record<string, Reader>> = {
  eval: (args) =>
    args.length === 0 ? {} : { texts: [joined(args[0]?.text === '--' ? args.slice(1) : args)] },
  trap: ofTrap,
  find: ofFind,
  xargs: ofXargs,
  su: ofSu,
  runuser: ofRunuser,
  watch: ofWatch,
  flock: (args) => ({ texts: valuesOf(args, 'c', '--command') }),
  sed: ofSed,
  gsed: ofSed,
  awk: ofAwk,
  gawk: ofAwk,
  mawk: ofAwk,
  nawk: ofAwk,
  env: (args) =>
    args.some(({ text }) => /^-[i0v]*S|^--s/.test(text)) ? { texts: [joined(args)], hides: NOT_READ } : {},
  rsync: (args) => ({
    texts: valuesOf(args, 'e', '--rsh').filter((value) => !(isKnown(value) && PLAIN_SSH.test(value.text))),
  }),
  tar: (args) => ({ texts: valuesOf(args, 'I', '--use-compress-program') }),
  sort: (args) => ({ texts: valuesOf(args, '', '--compress-program') }),
  split: (args) => ({ texts: valuesOf(args, '', '--filter') }),
  mapfile: (args) => ({ ...names(args), texts: valuesOf(args, 'C') }),
  readarray: (args) => ({ ...names(args), texts: valuesOf(args, 'C') }),
  read: names,
  printf: (args) => (args[0]?.text === '-v' ? names(args.slice(1, 2)) : {}),
  getopts: (args) => names(args.slice(1, 2)),
};

/** Returns what a program runs that stands in its arguments. */
export function codeArguments(name: string, args: readonly Argument[]): CodeArguments {
  const reader = Object.hasOwn(READERS, name) ? READERS[name] : undefined;
  return reader?.(args) ?? {};
}
