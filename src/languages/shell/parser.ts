import type { TextRange } from '../text/mapped-text';
import { ShellCommandReader } from './facts/command-reader';
import type { ParsedShell } from './facts/facts';
import { FactsCollector } from './facts/facts-collector';
import { TextCursor } from './reading/cursor';
import { DIALECTS, type Dialect } from './reading/dialect';
import { DashStops, Reading, TooDeepScript } from './reading/reading';
import { ScriptReader } from './reading/script-reader';
import { Work } from './reading/work';

/**
 * Maximum number of characters that are read for one input, with the texts in it that are run, the words that
 * braces make, and the commands in commands: so many times its length, and `ALWAYS`. Each text is read as two
 * shells read it.
 */
const MAX_TIMES = 8;
const ALWAYS = 16 * 1024;

/** Maximum depth of texts that are run by texts that are run. */
const MAX_LEVELS = 12;

const TOO_DEEP = 'nests too deeply to be read';
const TOO_LONG = 'runs texts that are too long to be read';

interface RunText {
  readonly text: string;
  /** Range of the input that stands for the text; undefined for the input itself. */
  readonly range: TextRange | undefined;
  readonly level: number;
}

/**
 * Returns what the commands of a text may do, as Bash or dash would run it. Synchronous, linear in time, and
 * never throws because of the text.
 */
export function parseShell(text: string): ParsedShell {
  if (text.includes('\u0000')) return { kind: 'unparseable', reason: 'contains a NUL character' };
  if (/\p{Surrogate}/u.test(text)) return { kind: 'unparseable', reason: 'is not well-formed Unicode' };
  return new InputReader(text).read();
}

/** Reads an input, and the texts that it runs. */
class InputReader {
  private readonly facts = new FactsCollector();
  private readonly known = new Set<string>();
  private readonly waiting: RunText[] = [];
  private readonly work: Work;

  constructor(private readonly input: string) {
    this.work = new Work(MAX_TIMES * input.length + ALWAYS);
  }

  read(): ParsedShell {
    this.add({ text: this.input, range: undefined, level: 0 });
    // Texts are added while others are read.
    for (const run of this.waiting) for (const dialect of DIALECTS) this.readAs(dialect, run);
    return this.facts.finish();
  }

  private add(run: RunText): void {
    const { text, level } = run;
    const range = run.range ?? { start: 0, end: this.input.length };
    if (level > MAX_LEVELS) return this.facts.hide(range, TOO_DEEP);
    // Also a text that is known costs a look.
    if (!this.work.spend(text.length)) return this.facts.hide(range, TOO_LONG);
    const key = `${range.start} ${text}`;
    if (this.known.has(key)) return;
    if (!this.work.spend(text.length)) return this.facts.hide(range, TOO_LONG);
    this.known.add(key);
    this.waiting.push(run);
  }

  private readAs(dialect: Dialect, { text, range, level }: RunText): void {
    const reading = new Reading();
    const placed = ({ start, end }: TextRange): TextRange => range ?? { start, end };
    try {
      new ScriptReader(new TextCursor(text), dialect, reading).readAll();
    } catch (error) {
      if (error instanceof TooDeepScript)
        this.facts.hide(range ?? { start: 0, end: this.input.length }, TOO_DEEP);
      else if (!(error instanceof DashStops)) throw error;
    }
    for (const part of reading.hidden) this.facts.hide(placed(part), part.reason);
    const runs = (inner: string, at: TextRange): void =>
      this.add({ text: inner, range: at, level: level + 1 });
    for (const nested of reading.nested) runs(nested.text, placed(nested));
    for (const name of reading.functions) this.facts.functions.add(name);
    const commands = new ShellCommandReader(dialect, this.facts, runs, this.work);
    for (const command of reading.commands) commands.read(command, placed(command), text);
  }
}
