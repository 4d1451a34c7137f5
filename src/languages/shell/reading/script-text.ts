import type { TextCursor } from './cursor';
import type { Dialect } from './dialect';
import { DashStops, type Reading } from './reading';
import type { HereDocument } from './simple-command';
import { type Word, WordBuilder } from './word';
import type { Scripts } from './quote-reader';
import { WordReader } from './word-reader';

export const ACROSS = 'has a here-document whose body begins outside of its substitution';

/** A text of commands, with what lies between them, and the words in it. */
export abstract class ScriptText implements Scripts {
  protected readonly words: WordReader;
  /** Here-documents whose bodies begin after the next line break. */
  protected pending: HereDocument[] = [];

  constructor(
    protected readonly cursor: TextCursor,
    protected readonly dialect: Dialect,
    protected readonly reading: Reading,
  ) {
    this.words = new WordReader(cursor, dialect, this);
  }

  abstract readSubstitution(): void;

  enter(): void {
    this.reading.enter();
  }

  leave(): void {
    this.reading.leave();
  }

  readNested(text: string): void {
    const { at } = this.cursor;
    this.reading.nested.push({ text, start: at, end: at });
  }

  readArray(): Word[] {
    const { cursor } = this;
    const items: Word[] = [];
    for (;;) {
      this.skipSpace();
      if (cursor.char === ')') break;
      if (cursor.isDone) {
        this.unclosed('an array');
        return items;
      }
      if (cursor.char === '[') this.words.readSubscript(new WordBuilder(cursor.at));
      else if (this.words.isAtWord) items.push(this.words.read());
      else {
        this.fail('has an operator in an array');
        cursor.advance();
      }
    }
    cursor.advance();
    return items;
  }

  setsVariable(name: string): void {
    this.reading.setVariable(name, this.cursor.at);
  }

  hide(reason: string): void {
    this.reading.hide(this.cursor.at, reason);
  }

  unclosed(what: string): void {
    this.fail(`ends inside ${what}`);
  }

  /** Handles a text that the shell refuses. Bash may have run what stands before it. */
  protected fail(reason: string): void {
    if (this.dialect === 'dash') throw new DashStops();
    this.hide(`cannot be parsed: it ${reason}`);
  }

  /** Skips spaces, tabs and comments. */
  protected skipBlanks(): void {
    const { cursor } = this;
    while (cursor.char === ' ' || cursor.char === '\t') cursor.advance();
    if (cursor.char !== '#') return;
    const found = cursor.text.indexOf('\n', cursor.at);
    const end = found === -1 ? cursor.text.length : found;
    cursor.rewriter?.comment(cursor.at, end);
    cursor.at = end;
  }

  /** Skips line breaks too. Bodies of here-documents begin after the first of them. */
  protected skipSpace(): void {
    this.skipBlanks();
    while (this.cursor.char === '\n') {
      if (this.pending.length > 0) this.hide(ACROSS);
      this.cursor.advance();
      this.skipBlanks();
    }
  }
}
