import type { TextRange } from '../../text/mapped-text';
import { expandBraces } from '../reading/brace-expansion';
import type { Dialect } from '../reading/dialect';
import type { Redirection, SimpleCommand } from '../reading/simple-command';
import { subscriptHides } from '../reading/subscripts';
import { ANY, type Word } from '../reading/word';
import type { Work } from '../reading/work';
import { type Argument, argumentOf, baseName, isKnown, plainName, knownText } from './arguments';
import { AssignmentReader } from './assignments';
import { codeArguments } from './code-arguments';
import type { FactsCollector } from './facts-collector';
import { isHarmless } from './harmless-programs';
import { programHides } from './hidden-programs';
import type { Doubt } from './options';
import { isInProgramFolder, mayBeWrittenByUsers, putsProgram } from './paths';
import { isPartlyRead, isShell, readsFile, shellRun, standardInput } from './shells';
import { namesInside } from './unknown-programs';
import { type WrappedCommand, commandIn, looseCommand } from './wrapped-commands';

/** Maximum number of programs of which each runs the next one. */
const MAX_CHAIN = 12;

/** Maximum number of arguments that are kept of a program that only may run. */
const MAX_LOOSE = 16;

const PUTS_PROGRAM = 'puts a program where shells find it';
const TOO_MUCH = 'makes too many commands and words to be read';
const UNKNOWN_PROGRAM = 'runs a program whose name is not in the text';
const WRITES = new Set(['>', '>>', '>|', '<>', '&>', '&>>', '>&']);
const MOVES = new Set(['cd', 'pushd', 'popd', 'chdir']);

/** Finds what one command does. Texts that it runs are handed to `runs`. */
export class ShellCommandReader {
  private range: TextRange = { start: 0, end: 0 };
  private redirections: readonly Redirection[] = [];
  private written: (word: Word) => string = () => '';

  constructor(
    private readonly dialect: Dialect,
    private readonly facts: FactsCollector,
    private readonly runs: (text: string, range: TextRange) => void,
    private readonly work: Work,
  ) {}

  /**
   * @param range the range of the command in the input
   * @param source the text in which the command stands
   */
  read(command: SimpleCommand, range: TextRange, source: string): void {
    this.range = range;
    this.redirections = command.redirections;
    this.written = ({ start, end }) => source.slice(start, end);
    const assignments = this.assignments;
    for (const word of command.assignments) assignments.readWord(word);
    for (const redirection of command.redirections) this.readRedirection(redirection);
    const { words } = command;
    const expanded = this.dialect === 'bash' ? words.flatMap((word) => expandBraces(word, this.work)) : words;
    for (const word of words) {
      this.hide(subscriptHides(word.text));
      if (word.items !== undefined) assignments.readWord(word);
    }
    this.readCommand(
      expanded.map((word) => argumentOf(word, this.written(word))),
      0,
    );
  }

  private get assignments(): AssignmentReader {
    const hide = (reason: string | undefined): void => this.hide(reason);
    return new AssignmentReader(this.facts.values, this.written, hide);
  }

  private hide(reason: string | undefined): void {
    this.facts.hide(this.range, reason);
  }

  private readRedirection({ operator, target, document }: Redirection): void {
    this.hide(subscriptHides(document?.body ?? target.text));
    if (!WRITES.has(operator) || (operator === '>&' && /^\d*-?$/.test(target.text))) return;
    // Output to `>(…)` goes to commands, which are read.
    if (/^[<>]\(/.test(this.written(target))) return;
    this.facts.addWrite(this.range, knownText(target));
    if (isInProgramFolder(target.text)) this.hide(PUTS_PROGRAM);
  }

  private readCommand(words: readonly Argument[], chain: number): void {
    const [program, ...args] = words;
    if (program === undefined) return;
    if (!this.spend(words)) return;
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
    this.assignments.readDeclared(name, args);
    if (this.readRun(program.text, args, chain)) return;
    this.facts.addFiles(
      name,
      args.map(({ text }) => text),
    );
    if (!isHarmless(name, plainName(name))) this.readUnknown(name, args, chain);
  }

  /** Counts the reading of these words. Returns false, and hides the command, where it would be too much. */
  private spend(words: readonly Argument[]): boolean {
    const isAllowed = this.work.spend(words.reduce((sum, { text }) => sum + text.length + 1, 0));
    if (!isAllowed) this.hide(TOO_MUCH);
    return isAllowed;
  }

  /** Reads what a program runs. Returns whether it runs anything. */
  private readRun(program: string, args: readonly Argument[], chain: number): boolean {
    const name = plainName(program) || baseName(program);
    if (isShell(name)) {
      this.readShell(name, args);
      return true;
    }
    const { texts = [], hides, words = [], doubts = [], sets = [] } = codeArguments(name, args);
    this.hide(hides);
    this.addDoubts(doubts);
    for (const each of sets) this.facts.values.set(each, ANY, '');
    if (name === 'exec' && args.length === 0 && readsFile(this.redirections))
      this.hide('reads further commands from a file');
    for (const text of texts) this.readText(text);
    for (const each of words) this.readCommand(each, chain + 1);
    const wrapped = commandIn(program, args) ?? looseCommand(program, args);
    if (wrapped !== undefined) this.readWrapped(wrapped, chain);
    return texts.length + words.length > 0 || wrapped !== undefined;
  }

  private addDoubts(doubts: readonly Doubt[]): void {
    for (const doubt of doubts) this.facts.values.doubt(doubt, this.range);
  }

  private readWrapped(
    { words, assigns, hides, doubts, isLoose, changesDirectory }: WrappedCommand,
    chain: number,
  ): void {
    this.hide(hides);
    this.addDoubts(doubts);
    for (const argument of assigns) this.assignments.readArgument(argument);
    this.facts.changesDirectory ||= changesDirectory;
    if (isLoose) this.readLoose(words, chain);
    else this.readCommand(words, chain + 1);
  }

  /** Counts each argument as a program that may run. Reads those that run others to the end. */
  private readLoose(words: readonly Argument[], chain: number): void {
    for (const [at, word] of words.entries()) {
      const args = words.slice(at + 1, at + 1 + MAX_LOOSE);
      if (!this.spend(args)) return;
      this.facts.addCommand(
        this.range,
        word.text,
        args.length < MAX_LOOSE ? args.map(({ text }) => text) : [ANY],
      );
      this.readNames(word);
      if (isKnown(word) && this.runsOthers(word.text, args)) this.readCommand(words.slice(at), chain + 1);
    }
  }

  /** Counts the programs that the arguments of a program name of which it is not known what it runs. */
  private readUnknown(name: string, args: readonly Argument[], chain: number): void {
    const isFunction = this.facts.functions.has(name);
    for (const [at, word] of args.entries()) {
      const next = args.slice(at + 1, at + 1 + MAX_LOOSE);
      if (!this.spend(next)) return;
      if (isFunction) this.facts.addMention(this.range, word.text);
      else this.readNames(word);
      if (next.length > 0 && isKnown(word) && this.runsOthers(word.text, next))
        this.readCommand(args.slice(at), chain + 1);
    }
  }

  /** Counts the programs that are named inside a word, such as `--run='rm x'`. */
  private readNames({ text }: Argument): void {
    for (const name of namesInside(text)) this.facts.addMention(this.range, name);
  }

  private runsOthers(program: string, args: readonly Argument[]): boolean {
    const isRun = isShell(plainName(program)) || commandIn(program, args) !== undefined;
    return isRun || programHides(program, args) !== undefined;
  }

  private readShell(name: string, args: readonly Argument[]): void {
    if (isPartlyRead(name)) this.hide('runs a shell whose language is not read');
    const run = shellRun(args);
    if (run.kind === 'text') return this.readText(run.text);
    if (run.kind === 'question') return;
    if (run.kind === 'file') return this.hide('runs a script that is not in the text');
    if (run.kind === 'unknown') return this.hide('runs a shell with options that are not known');
    const text = standardInput(this.redirections);
    if (text === undefined) return this.hide('runs what another command writes');
    this.readText({ text, splits: false });
  }

  private readText(argument: Argument): void {
    if (!isKnown(argument)) this.hide('runs a text that only the shell knows');
    this.runs(argument.text, this.range);
  }
}
