import {
  continuationQuote,
  isDigit,
  isNameStart,
  isSpace,
  skipBlank,
  skipComment,
  skipDigits,
  skipDollarTag,
  skipName,
  skipNumber,
  skipSpace,
} from './lexical-rules';
import { decodeBody, type BodyForm, type LiteralBody } from './literal-body';

export type TokenKind =
  | 'space'
  | 'comment'
  | 'name'
  | 'number'
  | 'parameter'
  | 'string'
  | 'quoted name'
  | 'semicolon'
  | 'other';

/**
 * Splits a text into PostgreSQL's tokens, one at each `next()`. It never fails: text that PostgreSQL would
 * refuse becomes some token, and an unclosed token extends to the end of the text. The tokens cover the text
 * without gaps. The total time is linear. Offsets are UTF-16 code units.
 *
 * Source: PostgreSQL documentation, "Lexical Structure", with standard_conforming_strings = on, checked
 * against PostgreSQL's own scanner. A UESCAPE clause belongs to the token before it.
 */
export class SqlLexer {
  kind: TokenKind = 'space';
  start = 0;
  /** Offset at which `next()` continues. A caller may set it to the start of another token. */
  end = 0;
  /** The body of the last string or quoted name. Other tokens do not change it. */
  body: LiteralBody = { form: 'verbatim', quote: "'", parts: [], plain: true, escape: '\\' };
  /** False when the text ended before the closing quote. */
  closed = true;

  /** Whether the token contains a doubled quote or a backslash. */
  private escapes = false;

  constructor(
    readonly source: string,
    from = 0,
  ) {
    this.end = from;
  }

  /** Reads the next token into the fields above; false at the end of the text. */
  next(): boolean {
    const { source, end: at } = this;
    if (at >= source.length) return false;
    this.start = at;
    this.escapes = false;
    const code = source.charCodeAt(at);
    if (isNameStart(code)) this.nameOrPrefix(at, code);
    else if (isSpace(code)) this.acceptToken('space', skipSpace(source, at));
    else if (isDigit(code)) this.acceptToken('number', skipNumber(source, at));
    else this.punctuation(at, code);
    return true;
  }

  private acceptToken(kind: TokenKind, end: number): void {
    this.kind = kind;
    this.end = end;
  }

  private punctuation(at: number, code: number): void {
    const { source } = this;
    const following = source.charCodeAt(at + 1);
    if (code === quote) this.string(at, 'doubled');
    else if (code === doubleQuote) this.quotedName(at, 'doubled');
    else if (code === dollar) this.dollar(at, following);
    else if (code === 59) this.acceptToken('semicolon', at + 1);
    else if ((code === dash && following === dash) || (code === slash && following === star)) {
      this.acceptToken('comment', skipComment(source, at));
    } else if (code === dot && isDigit(following)) this.acceptToken('number', skipNumber(source, at));
    else this.acceptToken('other', code === dot && following === dot ? at + 2 : at + 1);
  }

  private nameOrPrefix(at: number, code: number): void {
    const following = this.source.charCodeAt(at + 1);
    // `code | 32` converts a letter to lower case.
    if (following === quote) {
      const form = stringPrefixes[code | 32];
      if (form !== undefined) return this.string(at + 1, form);
    } else if (following === ampersand && (code | 32) === 117) {
      const opening = this.source.charCodeAt(at + 2);
      if (opening === quote) return this.string(at + 2, 'unicode');
      if (opening === doubleQuote) return this.quotedName(at + 2, 'unicode');
    }
    return this.acceptToken('name', skipName(this.source, at));
  }

  private dollar(at: number, following: number): void {
    const { source } = this;
    if (isDigit(following)) return this.acceptToken('parameter', skipDigits(source, at + 1));
    const tagEnd = skipDollarTag(source, at + 1);
    if (source.charCodeAt(tagEnd) !== dollar) return this.acceptToken('other', at + 1);
    const open = tagEnd + 1;
    const tag = source.slice(at, open);
    const close = source.indexOf(tag, open);
    this.closed = close >= 0;
    this.setBody('verbatim', "'", [open, this.closed ? close : source.length]);
    return this.acceptToken('string', this.closed ? close + tag.length : source.length);
  }

  /** Reads a string. `at` is the offset of its opening quote. */
  private string(at: number, form: BodyForm): void {
    const parts: number[] = [];
    for (let open = at; open >= 0; open = continuationQuote(this.source, this.end)) {
      const close = form === 'escaped' ? this.escapedEnd(open + 1) : this.quotedEnd(open + 1, "'", form);
      this.endAt(close);
      parts.push(open + 1, close);
    }
    this.literal('string', form, "'", parts);
  }

  private quotedName(at: number, form: BodyForm): void {
    const close = this.quotedEnd(at + 1, '"', form);
    this.endAt(close);
    this.literal('quoted name', form, '"', [at + 1, close]);
  }

  private literal(kind: TokenKind, form: BodyForm, quote: "'" | '"', parts: readonly number[]): void {
    this.kind = kind;
    this.setBody(form, quote, parts, form === 'unicode' ? this.uescape() : '\\');
  }

  private setBody(form: BodyForm, quote: "'" | '"', parts: readonly number[], escape = '\\'): void {
    const plain = parts.length === 2 && !this.escapes && form !== 'unicode';
    this.body = { form, quote, parts, plain, escape };
  }

  private endAt(close: number): void {
    this.closed = close < this.source.length;
    this.end = this.closed ? close + 1 : close;
  }

  private quotedEnd(from: number, mark: string, form: BodyForm): number {
    const { source } = this;
    for (let at = source.indexOf(mark, from); at >= 0; at = source.indexOf(mark, at + 2)) {
      if (form === 'verbatim' || source[at + 1] !== mark) return at;
      this.escapes = true;
    }
    return source.length;
  }

  private escapedEnd(from: number): number {
    const { source } = this;
    for (let at = from; at < source.length; at++) {
      const code = source.charCodeAt(at);
      if (code !== backslash && code !== quote) continue;
      if (code === quote && source.charCodeAt(at + 1) !== quote) return at;
      this.escapes = true;
      at++;
    }
    return source.length;
  }

  /**
   * Reads the clause UESCAPE 'c' if it follows, also after white space and comments. Returns the escape
   * character; a backslash without the clause.
   */
  private uescape(): string {
    const { source } = this;
    const word = skipBlank(source, this.end);
    uescapeWord.lastIndex = word;
    if (!uescapeWord.test(source)) return '\\';
    const operand = skipBlank(source, uescapeWord.lastIndex);
    operandStart.lastIndex = operand;
    if (!operandStart.test(source)) return '\\';
    const lexer = new SqlLexer(source, operand);
    lexer.next();
    const character = lexer.kind === 'string' ? decodeBody(source, lexer.body).text : '';
    if (!validEscape.test(character)) return '\\';
    this.end = lexer.end;
    return character;
  }
}

const [quote, doubleQuote, dollar, ampersand] = [39, 34, 36, 38];
const [dash, slash, star, dot, backslash] = [45, 47, 42, 46, 92];
/** String forms by the lower-case code of their prefix letter: E'…', N'…', B'…' and X'…'. */
const stringPrefixes: Readonly<Record<number, BodyForm>> = {
  101: 'escaped',
  110: 'doubled',
  98: 'verbatim',
  120: 'verbatim',
};
const uescapeWord = /uescape(?![\w$\u0080-\uffff])/iy;
/**
 * Matches the start of the string after UESCAPE. It does not accept U&, because such a string would look for
 * a UESCAPE clause of its own, and a sequence of such strings would take quadratic time.
 */
const operandStart = /['$]|e'/iy;
const validEscape = /^[^0-9a-fA-F+'"\s\u0080-\uffff]$/;
