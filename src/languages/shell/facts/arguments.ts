import { ANY } from '../reading/word';

/** One word of a command, without quotes. */
export interface Argument {
  /** The word, with `ANY` for each piece that only the shell knows. */
  readonly text: string;
  /** Whether it may be several words, or none. */
  readonly splits: boolean;
  /** The word as it stands in the script; absent if it does not stand there. */
  readonly written?: string;
}

export function isKnown({ text, splits }: Argument): boolean {
  return !splits && !text.includes(ANY);
}

/** Returns the last part of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

const STATIC = '-static';

/** Returns the name of a program without path, version and `-static`: `python` for `/usr/bin/python3.11`. */
export function plainName(path: string): string {
  const name = baseName(path).toLowerCase();
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
