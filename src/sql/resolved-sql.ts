import { SqlLexer } from './lexer';
import { decodeBody } from './literal-body';
import { MappedText, MappedTextBuilder } from './mapped-text';

/** Strings in strings are looked into as far as this; each level costs a further pass over its text. */
export const deepestLevel = 8;

export interface ResolvedSql {
  readonly text: MappedText;
  /** Where the statements are divided, as offsets in the source. */
  readonly semicolons: readonly number[];
  /** False when strings were nested deeper than `deepestLevel`, and the rest was taken as it is written. */
  readonly complete: boolean;
}

/** SQL without comments, with names and strings as what they stand for. A string is treated as SQL in its turn. */
export function resolveSql(source: string): ResolvedSql {
  const resolver = new Resolver(source, 0);
  const text = resolver.resolve();
  return { text, semicolons: resolver.semicolons, complete: resolver.complete };
}

class Resolver {
  readonly semicolons: number[] = [];
  complete = true;
  private readonly lexer: SqlLexer;
  private readonly builder: MappedTextBuilder;
  private done = 0;
  /** What ends here, without anything between. */
  private before: 'word' | 'quoted name' | 'other' = 'other';

  constructor(
    private readonly source: string,
    private readonly level: number,
  ) {
    this.lexer = new SqlLexer(source);
    this.builder = new MappedTextBuilder(source);
  }

  resolve(): MappedText {
    while (this.lexer.next()) this.before = this.token();
    if (this.done === 0) return MappedText.unchanged(this.source);
    this.builder.copy(this.done, this.source.length);
    return this.builder.build();
  }

  private token(): 'word' | 'quoted name' | 'other' {
    const { lexer } = this;
    switch (lexer.kind) {
      case 'name':
      case 'number':
      case 'parameter':
        if (this.before === 'quoted name' && this.source[lexer.start] !== '.') this.separate();
        return 'word';
      case 'quoted name':
        if (this.before !== 'other') this.separate();
        this.quotedName();
        return 'quoted name';
      case 'comment':
        this.builder.copy(this.done, lexer.start);
        this.builder.replace(' ', lexer.start, lexer.end);
        this.done = lexer.end;
        return 'other';
      case 'string':
        this.string();
        return 'other';
      case 'semicolon':
        this.semicolons.push(lexer.start);
        return 'other';
      case 'space':
      case 'other':
        return 'other';
    }
  }

  /** In `table"users"` two words touch; without their quotes they would become one. */
  private separate(): void {
    const { start } = this.lexer;
    this.builder.copy(this.done, start);
    this.builder.replace(' ', start, start);
    this.done = start;
  }

  private quotedName(): void {
    const { start, end, body } = this.lexer;
    this.builder.copy(this.done, start);
    if (body.plain) this.builder.copy(body.parts[0] ?? start, body.parts[1] ?? end);
    else this.appendAll(decodeBody(this.source, body));
    this.done = end;
  }

  private string(): void {
    const { start, end, body, closed } = this.lexer;
    const open = body.parts[0] ?? start;
    const close = body.parts.at(-1) ?? end;
    const plain = body.plain ? this.source.slice(open, close) : null;
    const nothingToDo = plain !== null && !resolvable.test(plain);
    if (nothingToDo && open === start + 1 && this.source[start] === "'") return;
    this.builder.copy(this.done, start);
    this.builder.replace("'", start, open);
    if (nothingToDo) this.builder.copy(open, close);
    else if (plain !== null) this.appendAll(this.inner(plain), open);
    else this.decoded();
    if (closed) this.builder.replace("'", close, end);
    this.done = end;
  }

  private decoded(): void {
    const decoded = decodeBody(this.source, this.lexer.body);
    this.appendAll(resolvable.test(decoded.text) ? this.inner(decoded.text).from(decoded) : decoded);
  }

  private inner(text: string): MappedText {
    if (this.level >= deepestLevel) {
      this.complete = false;
      return MappedText.unchanged(text);
    }
    const resolver = new Resolver(text, this.level + 1);
    const resolved = resolver.resolve();
    this.complete &&= resolver.complete;
    return resolved;
  }

  private appendAll(text: MappedText, shift = 0): void {
    this.builder.append(text, 0, text.text.length, shift);
  }
}

/** Where this finds nothing, there is nothing to resolve. */
export const resolvable = /["'$]|--|\/\*/;
