/**
 * Stands in a text for a piece that only the shell knows, such as the value of a variable. An input cannot
 * contain it: a text with NUL is not read at all.
 */
export const ANY = '\u0000';

/** Stands in place of a variable for a piece that is a number, so that it is one word. */
export const NUMBER = '#';

/** One word of a command, as the shell has it after it removed quotes. Offsets are UTF-16 code units. */
export interface Word {
  readonly start: number;
  readonly end: number;
  /** The word without quotes, with `ANY` for each piece that only the shell knows. */
  readonly text: string;
  /** Whether the word has no quotes, escapes and expansions, so that it can be a reserved word. */
  readonly isPlain: boolean;
  /** Whether an unquoted expansion can make several words of it, or none. */
  readonly splits: boolean;
  /** Whether the shell replaces the word by the names of files that match it. */
  readonly isPattern: boolean;
  /** Offsets in `text` of the braces and commas that brace expansion reads. */
  readonly braces: readonly number[];
  /** Offsets in `text` at which there are quotes with nothing in them. A word of nothing else is empty. */
  readonly emptyQuotes: readonly number[];
  /** Number of units at the start of `text` that are neither quoted nor expanded. */
  readonly bare: number;
  /** Words of an array, for a word like `name=(…)`. */
  readonly items?: readonly Word[];
  /** For each unknown piece the variable whose value it is, `NUMBER`, or an empty text. */
  readonly variables: readonly string[];
}

/** Builds a word from its pieces, from left to right. */
export class WordBuilder {
  private text = '';
  private bare: number | undefined;
  private splits = false;
  private wildcards = false;
  private isPlain = true;
  private openBracket = false;
  /** Part of a word that sets a variable which this one is so far: `name`, `name[…]`, `name+`, `name=`. */
  private phase: 'name' | 'subscript' | 'named' | 'adds' | 'equals' | 'other' = 'name';
  private readonly braces: number[] = [];
  private readonly emptyQuotes: number[] = [];
  private items: readonly Word[] | undefined;
  private readonly variables: string[] = [];

  constructor(private readonly start: number) {}

  /** The text of the word so far, if it has no quotes and expansions; otherwise undefined. */
  get bareText(): string | undefined {
    return this.bare === undefined ? this.text : undefined;
  }

  /** The text of the word so far. */
  get content(): string {
    return this.text;
  }

  get last(): string {
    return this.text.slice(-1);
  }

  /** Whether the word so far is the name of a variable, without quotes and expansions. */
  get isName(): boolean {
    return this.bare === undefined && this.phase === 'name' && this.text !== '';
  }

  /**
   * Whether the word so far is `name=`, `name+=`, `name[…]=` or `name[…]+=`, without quotes and
   * expansions.
   */
  get setsVariable(): boolean {
    return this.bare === undefined && this.phase === 'equals';
  }

  /** Adds one unquoted character. */
  literal(character: string): void {
    this.phase = this.phaseAfter(character);
    if (character === '{' || character === '}' || character === ',') this.braces.push(this.text.length);
    if (character === '*' || character === '?') this.wildcards = true;
    else if (character === '[') this.openBracket = true;
    else if (character === ']' && this.openBracket) this.wildcards = true;
    this.text += character === ANY ? '' : character;
    if (character === ANY) this.unknown(true);
  }

  /** Adds quoted text, which may be empty. */
  quoted(text: string): void {
    this.bare ??= this.text.length;
    this.isPlain = false;
    if (text === '') this.emptyQuotes.push(this.text.length);
    this.text += text;
    if (!text.includes(ANY)) return;
    this.splits = true;
    this.variables.push('');
  }

  /**
   * Adds a piece that only the shell knows.
   * @param splits whether it can become several words, or none
   * @param variable the variable whose value it is, or `NUMBER`; empty for another piece
   */
  unknown(splits: boolean, variable = ''): void {
    this.variables.push(variable);
    this.bare ??= this.text.length;
    this.isPlain = false;
    this.splits ||= splits;
    this.text += ANY;
  }

  private phaseAfter(character: string): WordBuilder['phase'] {
    const { phase } = this;
    if (phase === 'subscript') return character === ']' ? 'named' : 'subscript';
    if (phase === 'name' && (this.text === '' ? /[A-Za-z_]/ : /\w/).test(character)) return 'name';
    if (this.text === '' || !(phase === 'name' || phase === 'named' || phase === 'adds')) return 'other';
    if (character === '=') return 'equals';
    if (character === '+' && phase !== 'adds') return 'adds';
    return character === '[' && phase === 'name' ? 'subscript' : 'other';
  }

  array(items: readonly Word[]): void {
    this.items = items;
    this.isPlain = false;
  }

  build(end: number): Word {
    const { start, text, isPlain, splits, wildcards: isPattern, items, variables } = this;
    const { braces, emptyQuotes } = this;
    const bare = this.bare ?? text.length;
    return {
      start,
      end,
      text,
      isPlain,
      splits,
      isPattern,
      braces,
      emptyQuotes,
      bare,
      variables,
      ...(items !== undefined && { items }),
    };
  }
}
