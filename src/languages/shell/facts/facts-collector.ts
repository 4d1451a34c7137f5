import type { TextRange } from '../../text/mapped-text';
import { ANY } from '../reading/word';
import { baseName } from './arguments';
import { isInProgramFolder, onlyLooks } from './paths';
import { MAX_ALIKE } from '../reading/reading';
import { VariableValues } from './variable-values';
import type { CommandFact, HiddenFact, ShellFacts, WriteFact } from './facts';

const NAMED = 'runs a file that it may have written';

/** Collects the facts of one input, of which the same may be found by several readings. */
export class FactsCollector {
  changesDirectory = false;
  private readonly commands = new Map<string, CommandFact>();
  private readonly mentions = new Map<string, CommandFact>();
  private readonly writes = new Map<string, WriteFact>();
  private readonly hidden = new Map<string, HiddenFact>();
  private readonly counts = new Map<string, number>();
  /** Names of files that the script may have written. */
  private readonly named = new Set<string>();
  readonly values = new VariableValues();
  /** Names of functions that were defined, in any text so far. */
  readonly functions = new Set<string>();

  addCommand({ start, end }: TextRange, program: string, args: readonly string[]): void {
    this.commands.set([start, end, program, ...args].join('\u0001'), { start, end, program, args });
  }

  /** Notes a program that an argument names, and that another program may run. */
  addMention({ start, end }: TextRange, program: string): void {
    this.mentions.set([start, end, program].join('\u0001'), { start, end, program, args: [ANY] });
  }

  /** Notes the files in the arguments of a program that runs no other. */
  addFiles(program: string, args: readonly string[]): void {
    if (onlyLooks(program)) return;
    for (const argument of args) if (argument.includes('/')) this.named.add(baseName(argument));
  }

  addWrite({ start, end }: TextRange, path: string): void {
    this.writes.set(`${start} ${end} ${path}`, { start, end, path });
  }

  /**
   * Does nothing without a reason, so that callers can pass the result of a check. Keeps only the first parts
   * with the same reason.
   */
  hide({ start, end }: TextRange, reason: string | undefined): void {
    if (reason === undefined) return;
    const count = this.counts.get(reason) ?? 0;
    if (count === MAX_ALIKE) return;
    this.counts.set(reason, count + 1);
    this.hidden.set(`${start} ${end} ${reason}`, { start, end, reason });
  }

  finish(): ShellFacts {
    this.hideNamed();
    for (const { range, reason } of this.values.doubtful()) this.hide(range, reason);
    const inOrder = <Fact extends TextRange>(facts: Map<string, Fact>): Fact[] =>
      [...facts.values()].sort((a, b) => a.start - b.start);
    return {
      kind: 'commands',
      commands: inOrder(new Map([...this.commands, ...this.mentions])),
      writes: inOrder(this.writes),
      hidden: inOrder(this.hidden),
      changesDirectory: this.changesDirectory,
    };
  }

  /** Hides programs at a path that another command names: the script may have written the file. */
  private hideNamed(): void {
    for (const { path } of this.writes.values()) this.named.add(baseName(path));
    for (const command of this.commands.values()) {
      const { program } = command;
      const isPath = program.includes('/') && !isInProgramFolder(program);
      if (isPath && this.named.has(baseName(program))) this.hide(command, NAMED);
    }
  }
}
