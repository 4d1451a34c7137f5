import type { TextRange } from '../../text/mapped-text';
import { expandBraces } from '../reading/brace-expansion';
import type { Dialect } from '../reading/dialect';
import type { Redirection, SimpleCommand } from '../reading/simple-command';
import { ANY, type Word } from '../reading/word';
import { assignedAt } from '../reading/word-reader';
import { type Argument, baseName, isKnown, plainName } from './arguments';
import { codeArguments } from './code-arguments';
import type { FactsCollector } from './facts-collector';
import { programHides } from './hidden-programs';
import { isInProgramFolder, mayBeWrittenByUsers, putsProgram } from './paths';
import { isPartlyRead, isShell, shellRun } from './shells';
import { assignmentHides, subscriptHides } from './variables';
import { type WrappedCommand, commandIn, looseCommand } from './wrapped-commands';

/** Maximum number of programs of which each runs the next one. */
const MAX_CHAIN = 12;

/** Maximum number of arguments that are kept of a program that only may run. */
const MAX_LOOSE = 16;

const PUTS_PROGRAM = 'puts a program where shells find it';
const UNKNOWN_PROGRAM = 'runs a program whose name is not in the text';
const WRITES = new Set(['>', '>>', '>|', '<>', '&>', '&>>', '>&']);
const MOVES = new Set(['cd', 'pushd', 'popd', 'chdir']);
const DECLARES = new Set(['export', 'declare', 'typeset', 'local', 'readonly']);

/** Returns the text of a word. A pattern of file names is unknown where it has a wildcard. */
function textOf({ text, isPattern }: Word): string {
  return isPattern ? text.replaceAll(/[*?]|\[[^\]]*\]/g, ANY) : text;
}

/** Finds what one command does. Texts that it runs are handed to `runs`. */
export class ShellCommandReader {
  private range: TextRange = { start: 0, end: 0 };
  private redirections: readonly Redirection[] = [];
  private written: (word: Word) => string = () => '';

  constructor(
    private readonly dialect: Dialect,
    private readonly facts: FactsCollector,
    private readonly runs: (text: string, range: TextRange) => void,
  ) {}

  /**
   * @param range the range of the command in the input
   * @param source the text in which the command stands
   */
  read(command: SimpleCommand, range: TextRange, source: string): void {
    this.range = range;
    this.redirections = command.redirections;
    this.written = ({ start, end }) => source.slice(start, end);
    for (const word of command.assignments) this.readAssignment(word);
    for (const redirection of command.redirections) this.readRedirection(redirection);
    const expanded = this.dialect === 'bash' ? command.words.flatMap(expandBraces) : command.words;
    for (const word of command.words) this.hide(subscriptHides(word.text));
    const words = expanded.map((word): Argument => {
      const { splits, isPattern } = word;
      return { text: textOf(word), splits: splits || isPattern, written: this.written(word) };
    });
    this.readCommand(words, 0);
  }

  private hide(reason: string | undefined): void {
    this.facts.hide(this.range, reason);
  }

  private readAssignment(word: Word): void {
    const at = assignedAt(word) ?? 0;
    const [name = ''] = word.text.split(/[[+=]/, 1);
    this.hide(assignmentHides(name, word.text.slice(at), this.written(word)));
    for (const item of word.items ?? []) this.hide(assignmentHides(name, item.text, this.written(item)));
  }

  private readRedirection({ operator, target, document }: Redirection): void {
    this.hide(subscriptHides(document?.body ?? target.text));
    if (!WRITES.has(operator) || (operator === '>&' && /^\d*-?$/.test(target.text))) return;
    // Output to `>(…)` goes to commands, which are read.
    if (/^[<>]\(/.test(this.written(target))) return;
    this.facts.addWrite(this.range, textOf(target));
    if (isInProgramFolder(target.text)) this.hide(PUTS_PROGRAM);
  }

  /** Reads the variables that `export` and its like set, also in words such as `export A=b`. */
  private readDeclared(name: string, args: readonly Argument[]): void {
    if (name === 'alias' && args.some(({ text }) => text.includes('=') || text.includes(ANY)))
      this.hide('defines an alias, which changes how later text is read');
    if (name === 'unset') for (const { text } of args) this.hide(assignmentHides(text, ANY, ''));
    if (!DECLARES.has(name)) return;
    for (const argument of args) {
      if (/^[A-Za-z_][^=]*=/.test(argument.text)) this.readSet(argument);
      else if (!/^[-+]/.test(argument.text) && argument.text.includes(ANY))
        this.hide('sets variables whose names are not in the text');
    }
  }

  /** Reads a word of the form `NAME=value`. */
  private readSet({ text, written = text }: Argument): void {
    const [name = ''] = text.split(/[[+=]/, 1);
    this.hide(assignmentHides(name, text.slice(text.indexOf('=') + 1), written));
  }

  private readCommand(words: readonly Argument[], chain: number): void {
    const [program, ...args] = words;
    if (program === undefined) return;
    if (chain > MAX_CHAIN) return this.hide('runs too many programs through one another');
    this.facts.addCommand(
      this.range,
      program.text,
      args.map(({ text }) => text),
    );
    const name = baseName(program.text);
    if (program.splits || name.includes(ANY) || name === '' || /^~[^/]/.test(program.text)) {
      this.hide(UNKNOWN_PROGRAM);
      if (program.splits) this.readCommand(args, chain + 1);
      return;
    }
    if (mayBeWrittenByUsers(program.text)) this.hide('runs a file that its users may have written');
    if (MOVES.has(name)) this.facts.changesDirectory = true;
    this.hide(programHides(program.text, args));
    if (putsProgram(name, args)) this.hide(PUTS_PROGRAM);
    this.readDeclared(name, args);
    const runsOthers = this.readRun(plainName(name) || name, args, chain);
    if (!runsOthers)
      this.facts.addFiles(
        name,
        args.map(({ text }) => text),
      );
  }

  /** Reads what a program runs. Returns whether it runs anything. */
  private readRun(name: string, args: readonly Argument[], chain: number): boolean {
    if (isShell(name)) {
      this.readShell(name, args);
      return true;
    }
    const { texts = [], hides, words = [] } = codeArguments(name, args);
    this.hide(hides);
    if (name === 'exec' && args.length === 0 && this.readsFile())
      this.hide('reads further commands from a file');
    for (const text of texts) this.readText(text);
    for (const each of words) this.readCommand(each, chain + 1);
    const wrapped = commandIn(name, args) ?? looseCommand(name, args);
    if (wrapped !== undefined) this.readWrapped(wrapped, chain);
    return texts.length + words.length > 0 || wrapped !== undefined;
  }

  private readWrapped(
    { words, assigns, hides, isLoose, changesDirectory }: WrappedCommand,
    chain: number,
  ): void {
    this.hide(hides);
    for (const argument of assigns) this.readSet(argument);
    this.facts.changesDirectory ||= changesDirectory;
    if (isLoose) this.readLoose(words, chain);
    else this.readCommand(words, chain + 1);
  }

  /** Counts each argument as a program that may run. Reads the first one that runs others to its end. */
  private readLoose(words: readonly Argument[], chain: number): void {
    for (const [at, word] of words.entries()) {
      const args = words.slice(at + 1, at + 1 + MAX_LOOSE);
      this.facts.addCommand(
        this.range,
        word.text,
        args.length < MAX_LOOSE ? args.map(({ text }) => text) : [ANY],
      );
      if (isKnown(word) && this.runsOthers(word.text, args))
        return this.readCommand(words.slice(at), chain + 1);
    }
  }

  private runsOthers(program: string, args: readonly Argument[]): boolean {
    const name = plainName(program);
    return isShell(name) || commandIn(name, args) !== undefined || programHides(program, args) !== undefined;
  }

  private readShell(name: string, args: readonly Argument[]): void {
    if (isPartlyRead(name)) this.hide('runs a shell whose language is not read');
    const run = shellRun(args);
    if (run.kind === 'text') return this.readText(run.text);
    if (run.kind === 'question') return;
    if (run.kind === 'file') return this.hide('runs a script that is not in the text');
    const input = this.input;
    const text = input?.document?.body ?? (input?.operator === '<<<' ? input.target.text : undefined);
    if (text === undefined) return this.hide('runs what another command writes');
    this.readText({ text, splits: false });
  }

  /** The last redirection of standard input. */
  private get input(): Redirection | undefined {
    return this.redirections.findLast(
      ({ operator, descriptor }) => operator.startsWith('<') && (descriptor === '' || descriptor === '0'),
    );
  }

  private readsFile(): boolean {
    return this.input !== undefined && this.input.target.text !== '/dev/null';
  }

  private readText(argument: Argument): void {
    if (!isKnown(argument)) this.hide('runs a text that only the shell knows');
    this.runs(argument.text, this.range);
  }
}
