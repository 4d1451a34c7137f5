import { ANY, type Word } from '../reading/word';

/** One word of a command, without quotes. */
export interface Argument {
  /** The word, with `ANY` for each piece that only the shell knows. */
  readonly text: string;
  /** Whether it may be several words, or none. */
  readonly splits: boolean;
  /** Whether it is several words only because it is a pattern: each of them begins as it does. */
  readonly isNames?: boolean;
  /** For each unknown piece what `Word` has; absent if that is not known. */
  readonly variables?: readonly string[];
  /** The word as it stands in the script; absent if it does not stand there. */
  readonly written?: string;
}

/** Returns the text of a word. A pattern of file names is unknown where it has a wildcard. */
export function knownText({ text, isPattern }: Word): string {
  if (!isPattern) return text;
  const lastEnd = text.lastIndexOf(']');
  let known = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    // A bracket that comes first is one of the characters.
    const first = at + (/[!^]/.test(text.charAt(at + 1)) ? 3 : 2);
    const isRange = character === '[' && first <= lastEnd;
    known += isRange || character === '*' || character === '?' ? ANY : character;
    if (isRange) at = text.indexOf(']', first);
  }
  return known;
}

/** @param written the word as it stands in the script */
export function argumentOf(word: Word, written: string): Argument {
  const { text, splits, isPattern, variables } = word;
  const isNamed = !isPattern || text.startsWith(ANY);
  return {
    text: knownText(word),
    splits: splits || isPattern,
    isNames: isPattern && !splits,
    ...(isNamed && { variables }),
    written,
  };
}

export function isKnown({ text, splits }: Argument): boolean {
  return !splits && !text.includes(ANY);
}

/** Returns the last part of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

const STATIC = '-static';
/** Name of the machine for which a compiler works, before its name. */
const TARGET = /^[a-z\d_]+-(?:(?:pc|unknown|none)-)?(?:linux-(?:gnu|musl)[a-z\d_]*|elf|eabi)-/;

/**
 * Returns the name of a program without path, machine, version and `-static`: `python` for
 * `/bin/python3.11`.
 */
export function plainName(path: string): string {
  const name = baseName(path).toLowerCase().replace(TARGET, '');
  let end = name.length;
  // Not a pattern for the end of the text, which a search engine tries at each place of a long run.
  while (end > 0) {
    if (/[-.\d]/.test(name.charAt(end - 1))) end -= 1;
    else if (name.endsWith(STATIC, end)) end -= STATIC.length;
    else break;
  }
  return name.slice(0, end);
}

/**
 * Whether an option may mean one of these long options. Programs accept the beginning of a long option for
 * the whole.
 */
export function meansOption(argument: string, names: readonly string[]): boolean {
  const [option = ''] = argument.split('=', 1);
  return option.length > 2 && option.startsWith('--') && names.some((name) => name.startsWith(option));
}
