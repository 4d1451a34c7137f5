import { ScriptText } from './script-text';
import type { SimpleCommand } from './simple-command';
import { ANY, type Word } from './word';

/** A part of the grammar that parentheses close, or `esac`. */
export type Block = 'subshell' | 'patterns' | 'arms';

/** Words after which a command begins. */
const INTRODUCERS = new Set([
  'if',
  'then',
  'elif',
  'else',
  'fi',
  'do',
  'done',
  'while',
  'until',
  '{',
  '}',
  '!',
]);

/** Place in the commands of one list: a whole text, or one substitution. */
export interface ListState {
  readonly blocks: Block[];
  /** The variable of a loop whose words are read, up to the next separator. */
  loop: { readonly name: Word; hasIn: boolean } | undefined;
  /** Whether the current list of patterns of a `case` has begun. */
  hasPattern: boolean;
  command: SimpleCommand | undefined;
}

/** Returns a command that sets the variable of a loop. */
function settingOf(name: Word, value: string): SimpleCommand {
  const text = `${name.text}=`;
  const word = { ...name, text: text + value, bare: text.length };
  return { start: name.start, end: name.end, assignments: [word], words: [], redirections: [] };
}

/** Reads reserved words, and what belongs to them. */
export abstract class CompoundCommands extends ScriptText {
  /** Reads what belongs to a reserved word. Returns whether the word is one. */
  protected readReserved(state: ListState, { text }: Word): boolean {
    if (INTRODUCERS.has(text)) return true;
    const isBash = this.dialect === 'bash';
    if (text === 'esac' && state.blocks.at(-1) === 'arms') state.blocks.pop();
    else if (text === 'case') this.readCase(state);
    else if (text === 'for' || (text === 'select' && isBash)) this.readFor(state);
    else if (isBash && text === '[[') this.readConditional();
    else if (isBash && text === 'function') this.readFunctionName();
    else if (isBash && text === 'time') this.readTimeOptions();
    else if (isBash && text === 'coproc') this.hide('runs a command beside the others');
    else return text === 'esac';
    return true;
  }

  private readCase(state: ListState): void {
    this.skipBlanks();
    if (this.words.isAtWord) this.words.read();
    this.skipSpace();
    if (this.words.isAtWord && this.words.read().text === 'in') {
      state.blocks.push('patterns');
      state.hasPattern = false;
    } else this.fail('has a case without in');
  }

  private readFor(state: ListState): void {
    const { cursor } = this;
    this.skipBlanks();
    if (this.dialect === 'bash' && cursor.char === '(' && cursor.following === '(') {
      cursor.advance();
      this.words.readArithmetic();
      return;
    }
    if (this.words.isAtWord) state.loop = { name: this.words.read(), hasIn: false };
  }

  /** Reads a word of `for name in …`. Each is a value of the variable. */
  protected readLoopWord(state: ListState, loop: NonNullable<ListState['loop']>, word: Word): void {
    if (word.isPlain && word.text === 'do') return this.endLoop(state);
    const isIn = !loop.hasIn && word.isPlain && word.text === 'in';
    if (loop.hasIn) this.reading.commands.push(settingOf(loop.name, word.isPattern ? ANY : word.text));
    loop.hasIn ||= isIn;
  }

  /** Ends the words of a loop. Without `in`, its values are those of the script. */
  protected endLoop(state: ListState): void {
    const { loop } = state;
    if (loop?.hasIn === false) this.reading.commands.push(settingOf(loop.name, ANY));
    state.loop = undefined;
  }

  private readFunctionName(): void {
    this.skipBlanks();
    if (this.words.isAtWord) this.reading.functions.push(this.words.read().text);
    this.skipBlanks();
    if (this.cursor.char !== '(') return;
    this.cursor.advance();
    this.skipBlanks();
    if (!this.cursor.take(')')) this.fail('has a function without a closing parenthesis');
  }

  private readTimeOptions(): void {
    for (;;) {
      this.skipBlanks();
      if (!/^(?:-p|--)(?![^\s;&|()<>])/.test(this.cursor.text.slice(this.cursor.at, this.cursor.at + 3)))
        return;
      this.words.read();
    }
  }

  private readConditional(): void {
    const { cursor } = this;
    let before = '';
    for (;;) {
      this.skipSpace();
      if (cursor.isDone) return this.unclosed('a condition');
      if (this.words.isAtWord) {
        const word = this.words.read();
        if (word.isPlain && word.text === ']]') return;
        if (/^-[vR]$/.test(before) && word.text.includes(ANY))
          this.hide('uses variables whose names are not in the text');
        before = word.text;
        if (word.text === '=~') {
          this.skipBlanks();
          this.words.read('regex');
        }
      } else if (!cursor.take('&&') && !cursor.take('||')) {
        if (!'()<>'.includes(cursor.char)) return this.fail('has a command in a condition');
        cursor.advance();
      }
    }
  }
}
