import { ANY, type Word } from '../reading/word';
import { assignedAt } from '../reading/word-reader';
import type { Argument } from './arguments';
import type { VariableValues } from './variable-values';
import { assignmentHides, exportHides } from './variables';

const DECLARES = new Set(['export', 'declare', 'typeset', 'local', 'readonly']);

/** Finds what one command does to variables. */
export class AssignmentReader {
  constructor(
    private readonly values: VariableValues,
    private readonly written: (word: Word) => string,
    private readonly hide: (reason: string | undefined) => void,
  ) {}

  /** Reads a word of the form `name=value` or `name=(…)`, before a program or as its argument. */
  readWord(word: Word): void {
    const at = assignedAt(word) ?? 0;
    const [name = ''] = word.text.split(/[[+=]/, 1);
    if (word.items === undefined) return this.set(name, word.text.slice(at), this.written(word));
    for (const item of word.items) this.set(name, item.text, this.written(item));
  }

  /** Reads an argument of the form `name=value`. */
  readArgument({ text, written = text }: Argument): void {
    const [name = ''] = text.split(/[[+=\0]/, 1);
    this.set(name, text.slice(text.indexOf('=') + 1), written);
  }

  /** Reads the variables that `export` and its like set, also in words such as `export A=b`. */
  readDeclared(program: string, args: readonly Argument[]): void {
    if (program === 'alias' && args.some(({ text }) => text.includes('=') || text.includes(ANY)))
      this.hide('defines an alias, which changes how later text is read');
    if (!DECLARES.has(program)) return;
    for (const argument of args) {
      if (/^[A-Za-z_][^=]*=/.test(argument.text)) this.readArgument(argument);
      else if (program === 'export' && /^\w+$/.test(argument.text)) this.hide(exportHides(argument.text));
      else if (!/^[-+]/.test(argument.text) && argument.text.includes(ANY))
        this.hide('sets variables whose names are not in the text');
    }
  }

  /** @param written the value as written, or the assignment */
  private set(name: string, value: string, written: string): void {
    this.values.set(name, value, written.slice(written.indexOf('=') + 1));
    this.hide(assignmentHides(name, value, written));
  }
}
