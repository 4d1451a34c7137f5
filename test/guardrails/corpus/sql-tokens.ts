/** A piece of SQL as far as the transforms care. */
export interface Token {
  readonly kind: 'space' | 'comment' | 'string' | 'name' | 'word' | 'sign';
  readonly text: string;
}

/**
 * Strings with a letter in front (`E'`, `U&'`) and dollar quotes are `string`, quoted identifiers are `name`.
 */
const TOKENS =
  /(?<space>\s+)|(?<comment>--[^\n]*\n?|\/\*[^]*?\*\/)|(?<string>(?:[eE]'(?:[^'\\]|\\[^]|'')*'|(?:[uU]&)?'(?:[^']|'')*'|(?<tag>\$\w*\$)[^]*?\k<tag>))|(?<name>(?:[uU]&)?"(?:[^"]|"")*")|(?<word>\$?\w+)|(?<sign>[^])/gu;

/**
 * The pieces of a text, which joined together are the text again. Enough for what the corpus itself writes.
 */
export function tokensOf(sql: string): Token[] {
  return [...sql.matchAll(TOKENS)].map((match) => {
    const groups = match.groups ?? {};
    const kind = (['space', 'comment', 'string', 'name', 'word'] as const).find(
      (name) => groups[name] !== undefined,
    );
    return { kind: kind ?? 'sign', text: match[0] };
  });
}

/** Rewrites the pieces of one kind. */
export function rewrite(sql: string, kind: Token['kind'], change: (text: string) => string): string {
  return tokensOf(sql)
    .map((token) => (token.kind === kind ? change(token.text) : token.text))
    .join('');
}
