import { type Argument, isKnown } from './arguments';
import { CONTAINERS, LOADER, LOOSE_WRAPPERS, WRAPPERS, type Wrapper } from './wrappers';

/** The command in the arguments of a wrapper such as `sudo`. */
export interface WrappedCommand {
  /** The command. If `isLoose`, arguments of which any may be the program. */
  readonly words: readonly Argument[];
  /** Words that set variables before the command. */
  readonly assigns: readonly Argument[];
  readonly hides: string | undefined;
  readonly isLoose: boolean;
  readonly changesDirectory: boolean;
}

const OPENS_SHELL = 'opens a shell or an editor';
const UNREADABLE = 'runs a command behind options that are not known';
const CHANGES_DIRECTORY = /^-[CD]|^--chdir|^--cwd/;

/** @returns undefined if the program runs nothing */
export function commandIn(name: string, args: readonly Argument[]): WrappedCommand | undefined {
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
  return wrapper === undefined ? undefined : new WrapperArguments(wrapper, args).read();
}

/** Returns the command of a wrapper whose options are not known; undefined if it runs nothing. */
export function looseCommand(name: string, args: readonly Argument[]): WrappedCommand | undefined {
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
  return { words, assigns: [], hides, isLoose: true, changesDirectory: false };
}

/** Reads the arguments of one wrapper from left to right. */
class WrapperArguments {
  private at = 0;
  private hides: string | undefined;
  private changesDirectory = false;
  private readonly assigns: Argument[] = [];

  constructor(
    private readonly wrapper: Wrapper,
    private readonly args: readonly Argument[],
  ) {}

  read(): WrappedCommand | undefined {
    const { args, wrapper } = this;
    let hasOptions = true;
    for (let skips = wrapper.skips ?? 0; this.at < args.length;) {
      const argument = args[this.at]!;
      const { text } = argument;
      const isAssignment = wrapper.assigns === true && /^[^=\s]+=/.test(text);
      if (!isKnown(argument) && !isAssignment) {
        if (argument.splits) return this.loosely();
        if (skips === 0) break;
      }
      if (wrapper.only?.includes(text) === true) return undefined;
      if (hasOptions && text === '--') {
        hasOptions = false;
        this.at += 1;
        continue;
      }
      if (hasOptions && text.startsWith('-')) {
        if (!this.takeOption(text)) return this.loosely();
        continue;
      }
      if (isAssignment) {
        this.assigns.push(argument);
        this.at += 1;
        continue;
      }
      if (skips === 0) break;
      skips -= 1;
      this.at += 1;
    }
    if (this.at >= args.length && wrapper.isShell === true) this.hides ??= OPENS_SHELL;
    return this.found(false);
  }

  /** Moves after an option and its value. Returns false for an unknown option. */
  private takeOption(text: string): boolean {
    const { valued, flags, longValued = [], longFlags = [], hides = [] } = this.wrapper;
    if (hides.includes(text)) this.hides = OPENS_SHELL;
    if (CHANGES_DIRECTORY.test(text)) this.changesDirectory = true;
    this.at += 1;
    if (text.startsWith('--')) {
      if (text.includes('=')) return longValued.some((name) => text.startsWith(`${name}=`));
      if (longValued.includes(text)) this.at += 1;
      else return longFlags.includes(text) || hides.includes(text);
      return true;
    }
    for (let index = 1; index < text.length; index += 1) {
      const letter = text.charAt(index);
      if (hides.includes(`-${letter}`)) this.hides = OPENS_SHELL;
      else if (valued.includes(letter)) {
        if (index === text.length - 1) this.at += 1;
        return true;
      } else if (!flags.includes(letter)) return false;
    }
    return true;
  }

  private loosely(): WrappedCommand {
    this.hides ??= UNREADABLE;
    return this.found(true);
  }

  private found(isLoose: boolean): WrappedCommand {
    const { args, at, assigns, hides, changesDirectory } = this;
    return { words: args.slice(at), assigns, hides, isLoose, changesDirectory };
  }
}
