import { ANY } from '../reading/word';
import { type Argument, isKnown } from './arguments';
import type { CodeArguments, CodeReader } from './code-reader';
import { type OptionSpec, mayBeOption, readArguments, valuesOf } from './options';
import { assignmentHides } from './variables';

const UNKNOWN_OPTIONS = 'sets variables behind options that are not known';
const UNKNOWN_NAMES = 'uses variables whose names are not in the text';

/**
 * Checks the names of variables that a command sets, or looks at. Arithmetic runs what is in their
 * brackets.
 */
function named(names: readonly Argument[]): CodeArguments {
  const reasons = names.map((name) =>
    isKnown(name) ? assignmentHides(name.text.split('[', 1)[0]!, ANY, '') : UNKNOWN_NAMES,
  );
  const sets = names.map(({ text }) => text.split('[', 1)[0]!);
  return { hides: reasons.find((reason) => reason !== undefined), sets };
}

/** Returns a reader for a command that takes names of variables, also as the values of these options. */
function names(spec: OptionSpec, options: string, takes: 'all' | 'none'): CodeReader {
  return (args) => {
    const read = readArguments(spec, args);
    if (read.hasUnknown) return { hides: UNKNOWN_OPTIONS };
    const texts = valuesOf(read, 'C');
    const all = [...valuesOf(read, ...options), ...(takes === 'all' ? read.operands : [])];
    return { ...named(all), texts, doubts: read.doubts.filter(({ kind }) => kind === 'several') };
  };
}

const ARRAY = names({ valued: 'COcdnsu', flags: 't' }, '', 'all');
const PRINT = names({ valued: 'v' }, 'v', 'none');
/** Checks values of `test -v` and of `test -R`. */
const tested: CodeReader = (args) => {
  const isUnknown = args.some((word, at) => /^-[vR]$/.test(args[at - 1]?.text ?? '') && !isKnown(word));
  return { hides: isUnknown ? UNKNOWN_NAMES : undefined };
};

/** Builtins that take the names of variables. */
export const NAME_READERS: Readonly<Record<string, CodeReader>> = {
  mapfile: ARRAY,
  readarray: ARRAY,
  read: names({ valued: 'adinNptu', flags: 'ersE' }, 'a', 'all'),
  printf: (args) => {
    const [first] = args;
    if (first === undefined || args.length === 1) return {};
    if (first.text.startsWith('-')) return PRINT(args);
    return { doubts: mayBeOption(first) ? [{ kind: 'option', word: first }] : [] };
  },
  wait: names({ valued: 'p', flags: 'fn' }, 'p', 'none'),
  getopts: (args) => named(args.slice(1, 2)),
  unset: names({ flags: 'fvn' }, '', 'all'),
  let: (args) => ({ hides: args.some((word) => word.text.startsWith(ANY)) ? UNKNOWN_NAMES : undefined }),
  test: tested,
  '[': tested,
};
