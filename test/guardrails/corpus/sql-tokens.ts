/** A token of SQL, as detailed as the transforms need it. */
export interface Token {
  readonly kind: 'space' | 'comment' | 'string' | 'name' | 'word' | 'sign';
  readonly text: string;
}

/**
 * Matches one token. `string` includes strings with a prefix (`E'`, `U&'`) and dollar quotes. `name` is a
 * quoted identifier.
 */
const TOKENS =
  /(?<space>\s+)|(?<comment>--[^\n]*\n?|\/\*[^]*?\*\/)|(?<string>(?:[eE]'(?:[^'\\]|\\[^]|'')*'|(?:[uU]&)?'(?:[^']|'')*'|(?<tag>\$\w*\$)[^]*?\k<tag>))|(?<name>(?:[uU]&)?"(?:[^"]|"")*")|(?<word>\$?\w+)|(?<sign>[^])/gu;

/** Splits a text into tokens. Concatenated, they give the text again. Covers only the SQL of the corpus. */
export function tokensOf(sql: string): Token[] {
  return [...sql.matchAll(TOKENS)].map((match) => {
    const groups = match.groups ?? {};
    const kind = (['space', 'comment', 'string', 'name', 'word'] as const).find(
      (name) => groups[name] !== undefined,
    );
    return { kind: kind ?? 'sign', text: match[0] };
  });
}

/** Rewrites the tokens of one kind. */
export function rewrite(sql: string, kind: Token['kind'], change: (text: string) => string): string {
  return tokensOf(sql)
    .map((token) => (token.kind === kind ? change(token.text) : token.text))
    .join('');
}
