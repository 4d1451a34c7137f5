import { ANY } from '../reading/word';
import type { Argument } from './arguments';

/** Options that a program knows, as `getopt` reads them. */
export interface OptionSpec {
  /** Letters of options with a value, in the same word or in the next. */
  readonly valued?: string;
  /** Letters of options without a value. */
  readonly flags?: string;
  /** Letters of options whose value stands in the same word, or is missing. */
  readonly attached?: string;
  /** Names of long options with a value, divided by spaces. */
  readonly longValued?: string;
  /** Names of long options whose value stands after `=`, or is missing. */
  readonly longFlags?: string;
  /** Whether options may stand after other arguments. */
  readonly permutes?: boolean;
}

/** An option that was given. */
export interface GivenOption {
  /** The letter, or the whole name of a long option. */
  readonly name: string;
  readonly value: Argument | undefined;
}

/**
 * Words of which only the shell knows what they are. `several` may be several words, or none, where one is
 * expected; `option` may be an option.
 */
export interface Doubt {
  readonly kind: 'several' | 'option';
  readonly word: Argument;
}

/** The arguments of a program, divided into options and others. */
export interface ReadArguments {
  readonly given: readonly GivenOption[];
  readonly operands: readonly Argument[];
  readonly doubts: readonly Doubt[];
  /** Whether an option is not one of those that the program is known to have. */
  readonly hasUnknown: boolean;
}

/** Whether a word may be an option, as far as the text shows. */
export function mayBeOption({ text, splits, isNames }: Argument): boolean {
  return text.startsWith(ANY) || (splits && isNames !== true);
}

/**
 * Reads options from left to right. A word that nobody can know is read as one word, and noted as a
 * doubt.
 */
export class OptionCursor {
  at = 0;
  readonly given: GivenOption[] = [];
  readonly doubts: Doubt[] = [];

  constructor(
    private readonly spec: OptionSpec,
    private readonly args: readonly Argument[],
  ) {}

  /** Reads the option at `at`, and its value. Returns false for one that is not known. */
  take(): boolean {
    const option = this.args[this.at]!;
    this.at += 1;
    if (option.splits) this.doubts.push({ kind: 'several', word: option });
    return option.text.startsWith('--') ? this.takeLong(option) : this.takeLetters(option);
  }

  /**
   * Takes the next word, of which there must be one: the value of an option, or an argument of the
   * program.
   */
  takeWord(): Argument | undefined {
    const word = this.args[this.at];
    this.at += 1;
    if (word?.splits === true) this.doubts.push({ kind: 'several', word });
    return word;
  }

  private takeLong({ text, splits }: Argument): boolean {
    const equals = text.indexOf('=');
    const written = equals === -1 ? text.slice(2) : text.slice(2, equals);
    const value = equals === -1 ? undefined : { text: text.slice(equals + 1), splits };
    const isValued = meantBy(written, this.spec.longValued);
    const isFlag = meantBy(written, this.spec.longFlags);
    const [name] = [...isValued.exact, ...isFlag.exact, ...isValued.longer, ...isFlag.longer];
    const isClear = isValued.exact.length + isFlag.exact.length > 0;
    if (name === undefined || (!isClear && isValued.longer.length + isFlag.longer.length > 1)) return false;
    const needsNext = value === undefined && [...isValued.exact, ...isValued.longer].includes(name);
    this.given.push({ name, value: needsNext ? this.takeWord() : value });
    return true;
  }

  private takeLetters({ text, splits }: Argument): boolean {
    const { valued = '', flags = '', attached = '' } = this.spec;
    for (let index = 1; index < text.length; index += 1) {
      const name = text.charAt(index);
      const rest = text.slice(index + 1);
      const value = rest === '' ? undefined : { text: rest, splits };
      if (attached.includes(name) || valued.includes(name)) {
        const isNext = value === undefined && valued.includes(name);
        this.given.push({ name, value: isNext ? this.takeWord() : value });
        return true;
      }
      if (!flags.includes(name)) return false;
      this.given.push({ name, value: undefined });
    }
    return true;
  }
}

function meantBy(written: string, names = ''): { readonly exact: string[]; readonly longer: string[] } {
  const all = names.split(' ').filter((name) => written !== '' && name.startsWith(written));
  return { exact: all.filter((name) => name === written), longer: all.filter((name) => name !== written) };
}

/** Divides the arguments of a program into options and others. */
export function readArguments(spec: OptionSpec, args: readonly Argument[]): ReadArguments {
  const cursor = new OptionCursor(spec, args);
  const { given, doubts } = cursor;
  const operands: Argument[] = [];
  const result = (hasUnknown: boolean): ReadArguments => ({
    given,
    operands: [...operands, ...args.slice(cursor.at)],
    doubts,
    hasUnknown,
  });
  while (cursor.at < args.length) {
    const word = args[cursor.at]!;
    if (word.text === '--') {
      cursor.at += 1;
      break;
    }
    if (word.text.startsWith('-') && word.text !== '-') {
      if (!cursor.take()) return result(true);
      continue;
    }
    if (mayBeOption(word)) doubts.push({ kind: 'option', word });
    if (spec.permutes !== true) break;
    operands.push(word);
    cursor.at += 1;
  }
  return result(false);
}

/** Returns the values of the options with these letters or names, without those that have none. */
export function valuesOf({ given }: ReadArguments, ...names: readonly string[]): Argument[] {
  return given.flatMap(({ name, value }) => (names.includes(name) && value !== undefined ? [value] : []));
}

/** Whether one of the options with these letters or names is given. */
export function hasOption({ given }: ReadArguments, ...names: readonly string[]): boolean {
  return given.some(({ name }) => names.includes(name));
}
