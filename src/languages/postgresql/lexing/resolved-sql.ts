import { SqlLexer } from './lexer';
import { findNotable, isWordStart, skipBlank, tokenBorder } from './lexical-rules';
import { decodeBody } from './literal-body';
import { MappedTextBuilder, type MappedText } from '../../text/mapped-text';

/** Maximum depth to which strings in strings are resolved. Each level reads its text once more. */
export const deepestLevel = 8;

export interface ResolvedSql {
  readonly text: MappedText;
  /** Offsets in the source of the semicolons between statements. */
  readonly semicolons: readonly number[];
  /** False if strings were nested deeper than `deepestLevel`; the deeper ones are not resolved. */
  readonly complete: boolean;
}

/**
 * Resolves SQL: removes comments, and replaces names and strings by the text they stand for. The content of a
 * string is resolved too. White space between tokens is folded together with the comments, so that
 * `normalizePlain` has little left to fold.
 */
export function resolveSql(source: string): ResolvedSql {
  const builder = new MappedTextBuilder(source);
  const resolver = new Resolver(source, 0, builder, 0);
  resolver.resolve();
  return { text: builder.build(), semicolons: resolver.semicolons, complete: resolver.complete };
}

class Resolver {
  readonly semicolons: number[] = [];
  complete = true;
  private readonly lexer: SqlLexer;
  /** Kind of the last token, if it ends directly before the next one; `other` for all other cases. */
  private before: 'word' | 'quoted name' | 'other' = 'other';
  /** Nothing before this offset is notable (see `findNotable`). */
  private notableAt = 0;

  /**
   * `source` is the part of the builder's source that begins at `shift`. So the content of a plain string can
   * be resolved with the builder of the text around it.
   */
  constructor(
    private readonly source: string,
    private readonly level: number,
    private readonly builder: MappedTextBuilder,
    private readonly shift: number,
  ) {
    this.lexer = new SqlLexer(source);
  }

  resolve(): void {
    do this.skip();
    while (this.token());
  }

  /** Skips tokens that stay unchanged, without reading each of them. It may stop before the last of them. */
  private skip(): void {
    const { source, lexer } = this;
    const from = lexer.end;
    if (from < this.notableAt) return;
    // A word directly after a quoted name must be separated from it.
    if (this.before === 'quoted name' && isWordStart(source.charCodeAt(from))) return;
    this.notableAt = findNotable(source, from);
    lexer.end = tokenBorder(source, this.notableAt, from);
    if (lexer.end > from) this.before = 'other';
  }

  /** Handles the next token; false at the end of the text. */
  private token(): boolean {
    const { lexer, before } = this;
    if (!lexer.next()) return false;
    this.before = 'other';
    switch (lexer.kind) {
      case 'name':
      case 'number':
      case 'parameter':
        if (before === 'quoted name' && this.source[lexer.start] !== '.') this.separate();
        this.before = 'word';
        break;
      case 'quoted name':
        if (before !== 'other') this.separate();
        this.quotedName();
        this.before = 'quoted name';
        break;
      case 'space':
      case 'comment':
        lexer.end = skipBlank(this.source, lexer.end);
        this.replace(lexer.start, lexer.end, ' ');
        break;
      case 'string':
        this.string();
        break;
      case 'semicolon':
        this.semicolons.push(lexer.start);
        break;
      case 'other':
        break;
    }
    return true;
  }

  /** Adds a space between two tokens, because in `table"users"` they become one word without the quotes. */
  private separate(): void {
    this.replace(this.lexer.start, this.lexer.start, ' ');
  }

  private quotedName(): void {
    const { start, end, body } = this.lexer;
    const open = body.parts[0] ?? start;
    const close = body.parts.at(-1) ?? end;
    this.replace(start, open, '');
    if (!body.plain) this.insert(open, close, decodeBody(this.source, body));
    this.replace(close, end, '');
  }

  private string(): void {
    const { source } = this;
    const { start, end, body, closed } = this.lexer;
    const open = body.parts[0] ?? start;
    const close = body.parts.at(-1) ?? end;
    this.replace(start, open, "'");
    if (!body.plain) this.insert(open, close, this.decoded());
    else if (findNotable(source, open) < close) {
      this.inner(source.slice(open, close), this.builder, this.shift + open);
    }
    if (closed) this.replace(close, end, "'");
  }

  private decoded(): MappedText {
    const decoded = decodeBody(this.source, this.lexer.body);
    const { text } = decoded;
    if (findNotable(text, 0) === text.length) return decoded;
    const builder = new MappedTextBuilder(text);
    this.inner(text, builder, 0);
    return builder.build().from(decoded);
  }

  private inner(text: string, builder: MappedTextBuilder, shift: number): void {
    if (this.level < deepestLevel) {
      const resolver = new Resolver(text, this.level + 1, builder, shift);
      resolver.resolve();
      this.complete &&= resolver.complete;
    } else if (resolvable.test(text)) this.complete = false;
  }

  private replace(start: number, end: number, text: string): void {
    this.builder.replace(start + this.shift, end + this.shift, text);
  }

  /** Replaces [start, end) by a text that was made from this range. */
  private insert(start: number, end: number, text: MappedText): void {
    this.builder.insert(start + this.shift, end + this.shift, text);
  }
}

/** Matches a text that may need resolving. */
export const resolvable = /["'$]|--|\/\*/;
