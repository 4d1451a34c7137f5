/**
 * Stands in a text for a piece that only the shell knows, such as the value of a variable. An input cannot
 * contain it: a text with NUL is not read at all.
 */
export const ANY = '\u0000';

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
  /** Number of units at the start of `text` that are neither quoted nor expanded. */
  readonly bare: number;
  /** Words of an array, for a word like `name=(…)`. */
  readonly items?: readonly Word[];
}

/** Builds a word from its pieces, from left to right. */
export class WordBuilder {
  private text = '';
  private bare: number | undefined;
  private splits = false;
  private wildcards = false;
  private isPlain = true;
  private openBracket = false;
  private readonly braces: number[] = [];
  private items: readonly Word[] | undefined;

  constructor(private readonly start: number) {}

  /** The text of the word so far, if it has no quotes and expansions; otherwise undefined. */
  get bareText(): string | undefined {
    return this.bare === undefined ? this.text : undefined;
  }

  get last(): string {
    return this.text.slice(-1);
  }

  /** Adds one unquoted character. */
  literal(character: string): void {
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
    this.text += text;
    if (text.includes(ANY)) this.splits = true;
  }

  /** Adds a piece that only the shell knows. @param splits whether it can become several words, or none */
  unknown(splits: boolean): void {
    this.bare ??= this.text.length;
    this.isPlain = false;
    this.splits ||= splits;
    this.text += ANY;
  }

  array(items: readonly Word[]): void {
    this.items = items;
    this.isPlain = false;
  }

  build(end: number): Word {
    const { start, text, isPlain, splits, wildcards: isPattern, braces, items } = this;
    const bare = this.bare ?? text.length;
    return {
      start,
      end,
      text,
      isPlain,
      splits,
      isPattern,
      braces,
      bare,
      ...(items !== undefined && { items }),
    };
  }
}
