import type { TextRange } from '../../text/mapped-text';
import type { SimpleCommand } from './simple-command';
import { ANY } from './word';

/** Maximum depth of substitutions, expansions and quotes in one another. */
const MAX_DEPTH = 60;

/** Maximum number of hidden parts that are kept for one reason. */
export const MAX_ALIKE = 100;

/** Error for a text that nests deeper than `MAX_DEPTH`. What was read of it before is kept. */
export class TooDeepScript extends Error {}

/** Error for a place where dash stops, because it refuses what follows. */
export class DashStops extends Error {}

export interface HiddenPart extends TextRange {
  readonly reason: string;
}

/** Parts of one text that were found while it was read. Offsets are those of the text. */
export class Reading {
  readonly commands: SimpleCommand[] = [];
  readonly hidden: HiddenPart[] = [];
  private readonly counts = new Map<string, number>();
  /** Texts that the shell runs, but that do not stand in the source as they are run. */
  readonly nested: (TextRange & { readonly text: string })[] = [];
  /** Names of functions that the text defines. */
  readonly functions: string[] = [];
  private depth = 0;

  /** Keeps only the first parts with the same reason. */
  hide(at: number, reason: string): void {
    const count = this.counts.get(reason) ?? 0;
    this.counts.set(reason, count + 1);
    if (count < MAX_ALIKE) this.hidden.push({ start: at, end: at, reason });
  }

  /** Notes a command that sets a variable to what only the shell knows. */
  setVariable(name: string, at: number): void {
    const text = `${name}=`;
    const word = {
      start: at,
      end: at,
      text: text + ANY,
      isPlain: false,
      splits: false,
      isPattern: false,
      braces: [],
      emptyQuotes: [],
      bare: text.length,
      variables: [],
    };
    this.commands.push({ start: at, end: at, assignments: [word], words: [], redirections: [] });
  }

  enter(): void {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new TooDeepScript();
  }

  leave(): void {
    this.depth -= 1;
  }
}
