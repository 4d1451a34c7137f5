import type { TextRange } from '../../text/mapped-text';
import { NUMBER } from '../reading/word';
import type { Argument } from './arguments';
import type { Doubt } from './options';

const MAY_BE_OPTION = 'has an argument that may be an option which runs a program';
const MAY_BE_SEVERAL = 'has an unquoted expansion that may be several arguments, of which one is a program';

/** Variables of the login, with values that are one word and no option; and such that begin with a slash. */
const OF_LOGIN = /^(?:UID|EUID|PPID|USER|LOGNAME|HOSTNAME|RANDOM|SECONDS|LINENO|BASHPID|EPOCHSECONDS)$/;
const PATHS = /^(?:HOME|PWD|OLDPWD)$/;

/** A value that is no option, and several words of which none is one. */
const NO_OPTION = /^[\w./:@%,=~^]/;
const WORD = /^[\w./:@%,=~^][\w./:@%+,=~^-]*$/;

interface Values {
  /** Whether no value can be an option. */
  isTame: boolean;
  /** Whether no value can become words of which one is an option, or ends a command. */
  isPlain: boolean;
}

interface Assumption {
  readonly range: TextRange;
  readonly reason: string;
  readonly isMet: () => boolean;
}

/**
 * Values that the texts of one input give to variables, wherever they do. Commands are read before all texts
 * are, so that what a command needs of a variable is checked at the end.
 */
export class VariableValues {
  private readonly values = new Map<string, Values>();
  private readonly assumptions: Assumption[] = [];

  /** @param value with `ANY` for what is unknown @param written the value as written */
  set(name: string, value: string, written: string): void {
    const isNumber = /^"?\$(?:\(\([^()]*\)\)|[#?$!])"?$/.test(written.slice(0, 200));
    const isTame = isNumber || value === '' || (NO_OPTION.test(value) && !value.includes('{'));
    const isPlain =
      isNumber || (isTame && value.split(/\s+/).every((word) => WORD.test(word) || word === ''));
    const before = this.values.get(name);
    if (before === undefined) this.values.set(name, { isTame, isPlain });
    else {
      before.isTame &&= isTame;
      before.isPlain &&= isPlain;
    }
  }

  /** Notes a command whose reading depends on what only the shell knows of a word. */
  doubt({ kind, word }: Doubt, range: TextRange): void {
    const isMet = (): boolean => (kind === 'several' ? this.isOneWord(word) : this.isNoOption(word));
    this.assumptions.push({ range, reason: kind === 'several' ? MAY_BE_SEVERAL : MAY_BE_OPTION, isMet });
  }

  /** Returns the commands that may be other ones than those that were read. */
  doubtful(): readonly Assumption[] {
    return this.assumptions.filter(({ isMet }) => !isMet());
  }

  /**
   * Whether a word is neither several words nor none. A variable that a script sets may still be empty;
   * `PATH` is checked where it is set.
   */
  private isOneWord({ isNames, variables = [] }: Argument): boolean {
    const isFull = (name: string): boolean =>
      name === NUMBER || name === 'PATH' || (OF_LOGIN.test(name) && !this.values.has(name));
    return isNames !== true && variables.length > 0 && variables.every(isFull) && !this.values.has('IFS');
  }

  private isNoOption({ text, splits, isNames, variables = [] }: Argument): boolean {
    if (variables.length === 0 || text.startsWith('-')) return false;
    if (splits && isNames !== true) return variables.every((name) => this.is(name, 'isPlain'));
    // All values at the start count, because each but the last may be empty.
    const known = text.search(/[^\0]/);
    return variables.slice(0, known === -1 ? undefined : known).every((name) => this.is(name, 'isTame'));
  }

  private is(name: string, what: keyof Values): boolean {
    if (name === NUMBER) return true;
    if (what === 'isPlain' && this.values.has('IFS')) return false;
    const values = this.values.get(name);
    if (values !== undefined) return values[what];
    return OF_LOGIN.test(name) || (what === 'isTame' && PATHS.test(name));
  }
}
