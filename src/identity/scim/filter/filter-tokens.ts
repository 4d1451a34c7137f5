import { parseJson } from '../../../kernel/json/json';
import { invalidFilter } from '../values/scim-fault';

export type Token =
  | { readonly kind: '(' | ')' | '[' | ']' }
  /** An attribute path, an operator or a keyword. */
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'value'; readonly value: string };

/** Maximum length of a filter, because its cost grows with its length. No provider sends longer filters. */
const MAX_CHARACTERS = 4_096;
const SPACE = /\s/;
const WORD = /[\w:.$-]/;

/** Splits a filter into its tokens, in time linear in its length. @throws ScimFault `invalidFilter` */
export function filterTokens(text: string): Token[] {
  if (text.length > MAX_CHARACTERS)
    throw invalidFilter(`a filter may have ${MAX_CHARACTERS} characters at most`);
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const character = text.charAt(at);
    if (SPACE.test(character)) at += 1;
    else if (character === '(' || character === ')' || character === '[' || character === ']') {
      tokens.push({ kind: character });
      at += 1;
    } else if (character === '"') {
      const end = endOfString(text, at);
      tokens.push({ kind: 'value', value: stringIn(text.slice(at, end)) });
      at = end;
    } else {
      let end = at;
      while (end < text.length && WORD.test(text.charAt(end))) end += 1;
      if (end === at) throw invalidFilter(`unexpected character at position ${at + 1} of the filter`);
      // A word may begin with a dot: in `emails[type eq "work"].value`, `.value` continues the path.
      tokens.push({ kind: 'word', text: text.slice(at, end) });
      at = end;
    }
  }
  return tokens;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text.charAt(at) === '\\') at += 1;
    else if (text.charAt(at) === '"') return at + 1;
  }
  throw invalidFilter('a text in the filter has no closing quotation mark');
}

/** Decodes a string of a filter, which is a JSON string (RFC 7644). */
function stringIn(literal: string): string {
  let value: unknown;
  try {
    value = parseJson(literal);
  } catch {
    throw invalidFilter('a text in the filter is not a JSON string');
  }
  if (typeof value !== 'string' || value.includes('\0') || !value.isWellFormed())
    throw invalidFilter('a text in the filter has characters that no attribute has');
  return value;
}
