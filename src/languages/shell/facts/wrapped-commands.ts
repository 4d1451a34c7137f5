import { type Argument, baseName, isKnown, plainName } from './arguments';
import { type Doubt, OptionCursor, mayBeOption } from './options';
import { CONTAINERS, LOADER, LOOSE_WRAPPERS, type Wrapper, wrapperCalled } from './wrappers';

/** The command in the arguments of a wrapper such as `sudo`. */
export interface WrappedCommand {
  /** The command. If `isLoose`, arguments of which any may be the program. */
  readonly words: readonly Argument[];
  /** Words that set variables before the command. */
  readonly assigns: readonly Argument[];
  readonly hides: string | undefined;
  readonly doubts: readonly Doubt[];
  readonly isLoose: boolean;
  readonly changesDirectory: boolean;
}

const OPENS_SHELL = 'opens a shell or an editor';
const UNREADABLE = 'runs a command behind options that are not known';
const CHANGES_DIRECTORY = /^(?:[CD]|chdir|cwd|wd|wdns|root)$/;

/** @returns undefined if the program runs nothing */
export function commandIn(program: string, args: readonly Argument[]): WrappedCommand | undefined {
  const wrapper = wrapperCalled(plainName(program), baseName(program));
  return wrapper === undefined ? undefined : new WrapperArguments(wrapper, args).read();
}

/** Returns the command of a wrapper whose options are not known; undefined if it runs nothing. */
export function looseCommand(program: string, args: readonly Argument[]): WrappedCommand | undefined {
  const name = plainName(program);
  const begins = LOADER.test(name)
    ? /^/
    : Object.hasOwn(LOOSE_WRAPPERS, name)
      ? LOOSE_WRAPPERS[name]
      : undefined;
  if (begins === undefined) return undefined;
  const at = args.findIndex((argument) => begins.test(argument.text) || !isKnown(argument));
  if (at === -1) return undefined;
  const words = args.slice(begins.source === '^' ? 0 : at + 1);
  const hides = CONTAINERS.has(name) || words.every(isKnown) ? undefined : UNREADABLE;
  return { words, assigns: [], hides, doubts: [], isLoose: true, changesDirectory: false };
}

/** Reads the arguments of one wrapper from left to right. */
class WrapperArguments {
  private readonly cursor: OptionCursor;
  private readonly assigns: Argument[] = [];

  constructor(
    private readonly wrapper: Wrapper,
    private readonly args: readonly Argument[],
  ) {
    this.cursor = new OptionCursor(wrapper, args);
  }

  read(): WrappedCommand | undefined {
    const { args, wrapper, cursor } = this;
    let hasOptions = true;
    for (let skips = wrapper.skips ?? 0; cursor.at < args.length;) {
      const word = args[cursor.at]!;
      const { text } = word;
      if (hasOptions && text.startsWith('-')) {
        if (text === '--') cursor.at += 1;
        else if (!cursor.take()) return this.found(true);
        if (text === '--') hasOptions = false;
      } else if (wrapper.assigns === true && /^[^=\s]+=/.test(text)) {
        const assignment = cursor.takeWord();
        if (assignment !== undefined) this.assigns.push(assignment);
      } else {
        if (hasOptions && mayBeOption(word)) cursor.doubts.push({ kind: 'option', word });
        if (skips === 0 || (isKnown(word) && wrapper.skipped?.test(text) === false)) break;
        skips -= 1;
        cursor.takeWord();
      }
    }
    if (this.isGiven(wrapper.only)) return undefined;
    return this.found(false);
  }

  private isGiven(names: readonly string[] = []): boolean {
    return this.cursor.given.some(({ name }) => names.includes(name));
  }

  private found(isLoose: boolean): WrappedCommand {
    const { args, wrapper, cursor, assigns } = this;
    const { at, given, doubts } = cursor;
    const opensShell = this.isGiven(wrapper.hides) || (at >= args.length && wrapper.isShell === true);
    const hides = opensShell ? OPENS_SHELL : isLoose ? UNREADABLE : undefined;
    const changesDirectory = given.some(({ name }) => CHANGES_DIRECTORY.test(name));
    return { words: args.slice(at), assigns, hides, doubts, isLoose, changesDirectory };
  }
}
