import { decodeAnsiC } from './ansi-c';
import type { TextCursor } from './cursor';
import type { Dialect } from './dialect';
import type { Word, WordBuilder } from './word';

/** The parts of the reader of scripts that a word needs. */
export interface Scripts {
  /** Reads commands up to the closing parenthesis, and moves after it. */
  readSubstitution(): void;
  /** Reads a text that the shell runs, but that does not stand in the source as it is run. */
  readNested(text: string): void;
  /** Reads the words of an array up to the closing parenthesis, and moves after it. */
  readArray(): Word[];
  hide(reason: string): void;
  /** Notes that an expansion sets this variable, as `${name:=word}` does. */
  setsVariable(name: string): void;
  /** Counts a level of nesting up to the next `leave`. @throws TooDeepScript */
  enter(): void;
  leave(): void;
  /** Called where the text ends inside quotes, an expansion or a substitution. */
  unclosed(what: string): void;
}

/** Reads quotes, escapes and backquotes. */
export abstract class QuoteReader {
  constructor(
    protected readonly cursor: TextCursor,
    protected readonly dialect: Dialect,
    protected readonly scripts: Scripts,
  ) {}

  /** Reads what a dollar sign begins. */
  protected abstract readDollar(word: WordBuilder, inQuotes: boolean): void;

  protected readEscape(word: WordBuilder): void {
    const { cursor } = this;
    const start = cursor.at;
    cursor.at += 1;
    const escaped = cursor.char;
    if (escaped === '') this.scripts.unclosed('an escape');
    cursor.at += escaped.length;
    cursor.rewriter?.replace(start, cursor.at, escaped);
    cursor.settle();
    word.quoted(escaped);
  }

  protected readSingle(word: WordBuilder): void {
    const { cursor } = this;
    const start = cursor.at + 1;
    const found = cursor.text.indexOf("'", start);
    if (found === -1) this.scripts.unclosed('a quote');
    const end = found === -1 ? cursor.text.length : found;
    cursor.rewriter?.replace(start - 1, start, '');
    cursor.rewriter?.replace(end, Math.min(end + 1, cursor.text.length), '');
    cursor.jump(Math.min(end + 1, cursor.text.length));
    word.quoted(cursor.text.slice(start, end));
  }

  protected readAnsiC(word: WordBuilder): void {
    const { cursor } = this;
    const start = cursor.at;
    cursor.at = cursor.text.indexOf("'", start) + 1;
    const from = cursor.at;
    while (!cursor.isDone && cursor.char !== "'") cursor.at += cursor.char === '\\' ? 2 : 1;
    if (cursor.isDone) this.scripts.unclosed('a quote');
    const end = Math.min(cursor.at, cursor.text.length);
    const decoded = decodeAnsiC(cursor.text.slice(from, end)).text;
    const after = Math.min(end + 1, cursor.text.length);
    cursor.rewriter?.replace(start, after, decoded);
    cursor.jump(after);
    word.quoted(decoded);
  }

  protected readDouble(word: WordBuilder): void {
    const { cursor } = this;
    cursor.rewriter?.replace(cursor.at, cursor.at + 1, '');
    word.quoted('');
    cursor.advance();
    this.scripts.enter();
    this.readQuoted(word, '"');
    this.scripts.leave();
    if (cursor.isDone) return this.scripts.unclosed('a quote');
    cursor.rewriter?.replace(cursor.at, cursor.at + 1, '');
    cursor.advance();
  }

  /**
   * Reads text as between double quotes, up to `end`, which is not read. Without `end`, reads to the end of
   * the text, as the body of a here-document; there a double quote stands for itself.
   */
  readQuoted(word: WordBuilder, end: '"' | ''): void {
    const { cursor } = this;
    // No character equals the mark of a text without an end.
    const mark = end === '' ? undefined : end;
    let run = '';
    const flush = (): void => {
      if (run !== '') word.quoted(run);
      run = '';
    };
    while (!cursor.isDone && cursor.char !== mark) {
      const { char } = cursor;
      if (char === '\\') run += this.quotedEscape(end);
      else if (char === '$' || char === '`') {
        flush();
        if (char === '$') this.readDollar(word, true);
        else this.readBackticks(word, end === '"');
      } else {
        run += char;
        cursor.advance();
      }
    }
    flush();
  }

  private quotedEscape(end: '"' | ''): string {
    const { cursor } = this;
    const start = cursor.at;
    const escaped = cursor.text.charAt(start + 1);
    const isEscape =
      escaped === '$' || escaped === '`' || escaped === '\\' || (escaped === '"' && end === '"');
    cursor.at += isEscape ? 2 : 1;
    if (isEscape) cursor.rewriter?.replace(start, cursor.at, escaped);
    cursor.settle();
    return isEscape ? escaped : '\\';
  }

  protected readBackticks(word: WordBuilder, inQuotes: boolean): void {
    const { cursor } = this;
    const start = cursor.at + 1;
    cursor.at = start;
    while (!cursor.isDone && cursor.char !== '`') cursor.at += cursor.char === '\\' ? 2 : 1;
    if (cursor.isDone) this.scripts.unclosed('a substitution');
    const end = Math.min(cursor.at, cursor.text.length);
    const escapes = inQuotes ? /\\([$`\\"])/g : /\\([$`\\])/g;
    cursor.rewriter?.open(start);
    cursor.rewriter?.close(end, true);
    this.scripts.readNested(cursor.text.slice(start, end).replace(escapes, '$1'));
    cursor.jump(Math.min(end + 1, cursor.text.length));
    word.unknown(!inQuotes);
  }
}
