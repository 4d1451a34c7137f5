import { type Argument, isKnown } from './arguments';
import type { CodeArguments, CodeReader } from './code-reader';
import { type OptionSpec, hasOption, readArguments, valuesOf } from './options';
import { isHarmlessAwk, isHarmlessSed } from './stream-editors';

export const NOT_READ = 'runs a script that is not read';

const SED: OptionSpec = {
  valued: 'efl',
  flags: 'bnrEsuz',
  attached: 'i',
  longValued: 'expression file line-length',
  longFlags:
    'quiet silent debug follow-symlinks in-place posix regexp-extended separate sandbox unbuffered ' +
    'null-data zero-terminated binary help version',
  permutes: true,
};

function ofSed(args: readonly Argument[]): CodeArguments {
  const read = readArguments(SED, args);
  const given = valuesOf(read, 'e', 'expression');
  const scripts = given.length > 0 ? given : read.operands.slice(0, 1);
  const isHarmless = scripts.every((script) => isKnown(script) && isHarmlessSed(script.text));
  const hides = read.hasUnknown || hasOption(read, 'f', 'file') || !isHarmless ? NOT_READ : undefined;
  return { hides, doubts: read.doubts };
}

const AWK: OptionSpec = {
  valued: 'Fv',
  longValued: 'field-separator assign',
  longFlags: 'posix re-interval traditional characters-as-bytes sandbox version',
};

function ofAwk(args: readonly Argument[]): CodeArguments {
  const { operands, hasUnknown, doubts } = readArguments(AWK, args);
  const [program] = operands;
  const isHarmless = program === undefined || (isKnown(program) && isHarmlessAwk(program.text));
  return { hides: hasUnknown || !isHarmless ? NOT_READ : undefined, doubts };
}

const SORT: OptionSpec = {
  valued: 'kostST',
  flags: 'bdfghiMnRrVcCmuz',
  longValued:
    'key field-separator output temporary-directory buffer-size batch-size parallel compress-program ' +
    'random-source files0-from sort',
  longFlags:
    'ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort ' +
    'human-numeric-sort numeric-sort random-sort reverse version-sort check merge stable unique ' +
    'zero-terminated debug help version',
  permutes: true,
};

/** Reads the arguments of sort. It compresses only what does not fit into its memory. */
function ofSort(args: readonly Argument[]): CodeArguments {
  const read = readArguments(SORT, args);
  const { doubts } = read;
  const isSmall = !hasOption(read, 'S', 'buffer-size') && doubts.length < 2;
  return {
    texts: valuesOf(read, 'compress-program'),
    hides: read.hasUnknown ? NOT_READ : undefined,
    doubts: isSmall ? doubts.filter(({ word }) => word.splits && word.isNames !== true) : doubts,
  };
}

const SPLIT: OptionSpec = {
  valued: 'abClnt',
  flags: 'deux0123456789',
  longValued: 'suffix-length additional-suffix bytes line-bytes lines number filter separator',
  longFlags: 'numeric-suffixes hex-suffixes elide-empty-files unbuffered verbose help version',
  permutes: true,
};

function ofSplit(args: readonly Argument[]): CodeArguments {
  const read = readArguments(SPLIT, args);
  const hides = read.hasUnknown ? NOT_READ : undefined;
  return { texts: valuesOf(read, 'filter'), hides, doubts: read.doubts };
}

/** Programs that edit text, and run scripts for it. */
export const TEXT_READERS: Readonly<Record<string, CodeReader>> = {
  sed: ofSed,
  gsed: ofSed,
  awk: ofAwk,
  gawk: ofAwk,
  mawk: ofAwk,
  nawk: ofAwk,
  sort: ofSort,
  split: ofSplit,
};
