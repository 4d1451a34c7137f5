import { RE2JS, RE2JSException } from 're2js';

/** Kinds of entries (specification, section 2.2.1). */
export const ENTRY_TYPES = ['deny_words_list', 'pattern_match'] as const;
export type EntryType = (typeof ENTRY_TYPES)[number];

/** One entry as admins write it and as it is stored. */
export interface RuleEntry {
  type: EntryType;
  words: string[];
  pattern_regex: string;
  name?: string;
  message?: string;
}

export interface RuleSet {
  rules: RuleEntry[];
}

/** A piece of text that an entry forbids; `start` and `end` count UTF-16 code units. */
export interface Match {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Finds what an entry forbids in a text: the first pieces of it, or nothing. */
export type EntryMatcher = (text: string) => Match[];

/** More than this of a text is not told; one is enough to block. */
const MAX_MATCHES = 100;
const MAX_MATCH_SHOWN = 256;

/**
 * One entry, ready to match. Words are found anywhere and in any case; patterns are RE2, whose time is
 * linear in the text whatever the pattern.
 * @throws Error in plain words when the entry cannot be compiled.
 */
export function compileEntry(entry: RuleEntry): EntryMatcher {
  switch (entry.type) {
    case 'deny_words_list':
      return wordMatcher(entry.words);
    case 'pattern_match':
      return patternMatcher(entry.pattern_regex);
    default:
      throw new Error(`type ${String(entry.type satisfies never)} is unknown`);
  }
}

function wordMatcher(words: readonly string[]): EntryMatcher {
  if (words.length === 0) throw new Error('words must not be empty');
  if (words.includes(''))
    throw new Error('words must not contain an empty word, which would forbid everything');
  // Escaped literals only: an admin's pattern never reaches this engine.
  const anyWord = new RegExp(words.map(escapeLiteral).join('|'), 'giu');
  return (text) => {
    const found: Match[] = [];
    for (const { index, 0: piece } of text.matchAll(anyWord)) {
      found.push({ start: index, end: index + piece.length, text: piece });
      if (found.length === MAX_MATCHES) break;
    }
    return found;
  };
}

function escapeLiteral(word: string): string {
  return word.replaceAll(/[$()*+./?[\\\]^{|}]/g, '\\$&');
}

function patternMatcher(pattern: string): EntryMatcher {
  if (pattern === '') throw new Error('pattern_regex must not be empty');
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new Error(`pattern_regex is not a valid RE2 pattern: ${error.message}`, { cause: error });
  }
  return (text) => {
    const matcher = compiled.matcher(text);
    const found: Match[] = [];
    while (found.length < MAX_MATCHES && matcher.find()) {
      found.push({ start: matcher.start(), end: matcher.end(), text: shown(matcher.group() ?? '') });
    }
    return found;
  };
}

/** The beginning of a match, never ending in half a character: PostgreSQL could not store that. */
function shown(match: string): string {
  return match.slice(0, MAX_MATCH_SHOWN).replace(/[\uD800-\uDBFF]$/, '');
}
