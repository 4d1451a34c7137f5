import { QuoteReader } from './quote-reader';
import { subscriptHides } from './subscripts';
import { NUMBER, type Word, WordBuilder } from './word';

const ENDS_WORD = new Set(['', ' ', '\t', '\n', ';', '&', '|', '(', ')', '<', '>']);
const NAME = /^[A-Za-z_]\w*$/;
/** Parameters whose value is a number, so that it is one word. */
const IS_NUMBER = /^[#?$]$/;
const PLAIN_VALUE = /^\$\{([A-Za-z_]\w*)\}$/;
const ASSIGNS_DEFAULT = /^\$\{([A-Za-z_]\w*):?=/;
const LENGTH = /^\$\{#\w+(?:\[[@*]\])?\}$/;
const PARAMETER = /[A-Za-z_]\w*|[\d@*#?$!-]/y;

/** Runs the text in a variable as a prompt, so also the commands in it. */
const PROMPT_OPERATOR = /@P\}$/;
export const PROMPTS = 'expands the text in a variable, with the commands in it';
const PUT_TOGETHER = 'puts together a text that arithmetic runs';
const TWO_WAYS = 'has an expansion that shells read in different ways';

/** Reads words: quotes, escapes and expansions, with the commands inside them. */
export class WordReader extends QuoteReader {
  /** Whether a word begins here. */
  get isAtWord(): boolean {
    return !ENDS_WORD.has(this.cursor.char) || this.isAtProcess;
  }

  private get isAtProcess(): boolean {
    const { char, following } = this.cursor;
    return this.dialect === 'bash' && (char === '<' || char === '>') && following === '(';
  }

  /**
   * Reads a word.
   * @param as `command` where Bash also reads `name[…]=`, with anything in the brackets; `regex` where
   * parentheses and bars belong to the word, as after `=~`
   */
  read(as: 'command' | 'argument' | 'regex' = 'argument'): Word {
    const { cursor } = this;
    const builder = new WordBuilder(cursor.at);
    cursor.rewriter?.open(cursor.at);
    for (;;) {
      if (as === 'command' && this.isAtSubscript(builder)) this.readSubscript(builder);
      else if (!this.readPiece(builder) && !(as === 'regex' && this.readPatternMark(builder))) break;
    }
    const word = builder.build(cursor.at);
    cursor.rewriter?.close(word.end, !word.isPlain);
    return word;
  }

  private readPiece(word: WordBuilder): boolean {
    const { cursor } = this;
    const { char } = cursor;
    if (ENDS_WORD.has(char)) return this.readBracket(word);
    if (char === '\\') this.readEscape(word);
    else if (char === "'") this.readSingle(word);
    else if (char === '"') this.readDouble(word);
    else if (char === '`') this.readBackticks(word, false);
    else if (char === '$') this.readDollar(word, false);
    else {
      word.literal(char);
      cursor.advance();
    }
    return true;
  }

  private readPatternMark(word: WordBuilder): boolean {
    const { cursor } = this;
    if (!'()|<>'.includes(cursor.char) || cursor.isDone) return false;
    word.unknown(false);
    cursor.advance();
    return true;
  }

  private readBracket(word: WordBuilder): boolean {
    if (this.cursor.char !== '(' && !this.isAtProcess) return false;
    this.scripts.enter();
    const isRead = this.isAtProcess ? this.readProcess(word) : this.readGroup(word);
    this.scripts.leave();
    return isRead;
  }

  private readProcess(word: WordBuilder): true {
    const { cursor } = this;
    cursor.advance();
    cursor.advance();
    this.scripts.readSubstitution();
    word.unknown(false);
    return true;
  }

  /** Reads the parentheses of an array, or of a pattern such as `!(*.log)`. */
  private readGroup(word: WordBuilder): boolean {
    const { cursor } = this;
    const before = word.bareText;
    if (this.dialect !== 'bash' || before === undefined || before === '') return false;
    if (word.setsVariable) {
      cursor.advance();
      word.array(this.scripts.readArray());
      return true;
    }
    if (!'?*+@!'.includes(word.last) || before === '!') return false;
    this.readBalanced('(', ')');
    word.unknown(true);
    return true;
  }

  protected readDollar(word: WordBuilder, inQuotes: boolean): void {
    this.scripts.enter();
    this.readExpansion(word, inQuotes);
    this.scripts.leave();
  }

  private readExpansion(word: WordBuilder, inQuotes: boolean): void {
    const { cursor, dialect } = this;
    const { following } = cursor;
    if (following === '(') this.readParenthesis(word, inQuotes);
    else if (following === '{') this.readBraces(word, inQuotes);
    else if (following === "'" && !inQuotes && dialect === 'bash') this.readAnsiC(word);
    else if (following === '[' && dialect === 'bash') {
      cursor.advance();
      this.readBalanced('[', ']');
      word.unknown(false, NUMBER);
    } else if (following === '"' && !inQuotes && dialect === 'bash') {
      cursor.rewriter?.replace(cursor.at, cursor.at + 1, '');
      cursor.advance();
    } else this.readParameter(word, inQuotes);
  }

  private readParameter(word: WordBuilder, inQuotes: boolean): void {
    const { cursor } = this;
    const start = cursor.at;
    cursor.advance();
    PARAMETER.lastIndex = cursor.at;
    const name = PARAMETER.exec(cursor.text)?.[0];
    if (name === undefined) return word.quoted('$');
    cursor.jump(cursor.at + name.length);
    // A name goes on after a join of lines.
    const isName = NAME.test(name);
    if (isName) while (/\w/.test(cursor.char)) cursor.advance();
    if (name === 'IFS' && !inQuotes) cursor.rewriter?.replace(start, cursor.at, ' ');
    const isWhole = isName && cursor.at === start + 1 + name.length;
    const isNumber = IS_NUMBER.test(name);
    word.unknown(name === '@' || (!inQuotes && !isNumber), isNumber ? NUMBER : isWhole ? name : undefined);
  }

  private readParenthesis(word: WordBuilder, inQuotes: boolean): void {
    const { cursor } = this;
    cursor.advance();
    if (cursor.following === '(') {
      cursor.advance();
      this.readArithmetic();
      return word.unknown(false, NUMBER);
    }
    cursor.advance();
    this.scripts.readSubstitution();
    word.unknown(!inQuotes);
  }

  /** Reads arithmetic, from its second parenthesis to its end. */
  readArithmetic(): void {
    this.readBalanced('(', ')');
    if (this.cursor.char === ')') this.cursor.advance();
    else this.scripts.hide(TWO_WAYS);
  }

  /** Reads `${…}`. The commands in it are read; its value is unknown. */
  private readBraces(word: WordBuilder, inQuotes: boolean): void {
    const { cursor } = this;
    const start = cursor.at;
    cursor.advance();
    cursor.advance();
    // Newer shells run the commands in `${ …; }`.
    if (/[\s|(]/.test(cursor.char)) this.scripts.hide(TWO_WAYS);
    const inside = new WordBuilder(cursor.at);
    while (!cursor.isDone && cursor.char !== '}') {
      const { char } = cursor;
      if (char === "'" && inQuotes) this.readQuoteInQuotes();
      else if (this.isAtProcess) this.readBracket(inside);
      else if (ENDS_WORD.has(char) || (char === '$' && inQuotes && cursor.following === "'"))
        cursor.advance();
      else this.readPiece(inside);
    }
    if (cursor.isDone) return this.scripts.unclosed('an expansion');
    cursor.advance();
    const written = cursor.text.slice(start, cursor.at);
    const assigned = ASSIGNS_DEFAULT.exec(written)?.[1];
    if (assigned !== undefined) this.scripts.setsVariable(assigned);
    const reason = subscriptHides(inside.content);
    if (reason !== undefined) this.scripts.hide(reason);
    if (PROMPT_OPERATOR.test(written)) this.scripts.hide(PROMPTS);
    if (written === '${IFS}' && !inQuotes) cursor.rewriter?.replace(start, cursor.at, ' ');
    if (LENGTH.test(written)) return word.unknown(false, NUMBER);
    word.unknown(!inQuotes || written.includes('@'), PLAIN_VALUE.exec(written)?.[1]);
  }

  /** Reads a single quote in `"${…}"`, which some shells read as a quote, and others as a character. */
  private readQuoteInQuotes(): void {
    const { cursor } = this;
    let end = cursor.at + 1;
    while (end < cursor.text.length && !'\'}"$`\\'.includes(cursor.text.charAt(end))) end += 1;
    if (cursor.text.charAt(end) !== "'") this.scripts.hide(TWO_WAYS);
    cursor.jump(Math.min(end + 1, cursor.text.length));
  }

  private isAtSubscript(word: WordBuilder): boolean {
    return this.cursor.char === '[' && this.dialect === 'bash' && word.isName;
  }

  /** Reads a subscript, in which Bash allows spaces and operators. */
  readSubscript(word: WordBuilder): void {
    this.readBalanced('[', ']');
    word.literal('[');
    word.unknown(false);
    word.literal(']');
  }

  /** Reads to the bracket that closes the current one, with the commands between them. */
  private readBalanced(open: '(' | '[', close: ')' | ']'): void {
    const { cursor } = this;
    const inside = new WordBuilder(cursor.at);
    let depth = 0;
    while (!cursor.isDone) {
      const { char } = cursor;
      if (char === open) depth += 1;
      if (char === close) depth -= 1;
      if (char === open || char === close || ENDS_WORD.has(char)) cursor.advance();
      else if (char === "'") {
        this.scripts.hide(TWO_WAYS);
        cursor.advance();
      } else {
        const isExpansion = char === '$' || char === '`';
        this.readPiece(inside);
        if (isExpansion && open === '(' && /[$`]/.test(this.cursor.char)) this.scripts.hide(PUT_TOGETHER);
      }
      if (depth === 0) return;
    }
    this.scripts.unclosed('an expansion');
  }
}

/** Returns whether the word sets a variable, and where its value begins in `text`. */
export function assignedAt({ text, bare }: Word): number | undefined {
  const found = /^[A-Za-z_]\w*(?:\[[^]*?\])?\+?=/.exec(text)?.[0];
  if (found === undefined) return undefined;
  const name = found.search(/[[+=]/);
  // The name must not be quoted; a subscript may be.
  return bare >= (found.includes('[') ? name + 1 : found.length) ? found.length : undefined;
}
