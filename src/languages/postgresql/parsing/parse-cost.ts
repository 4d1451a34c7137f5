import { SqlLexer } from '../lexing/lexer';
import { decodeBody } from '../lexing/literal-body';

/**
 * Cost of a text in PostgreSQL's parser, known before it is parsed. Its scanner matches a whole run of
 * operator characters, and may give back all but one: a run is read again from each of its tokens, and within
 * a comment from each comment that begins in it. So the cost of a run is its length squared, and length alone
 * bounds nothing: `1+-+-…` of 32 kB took 4 s.
 */
export interface ParseCost {
  /**
   * Tokens but for white space and comments: each becomes a part of the tree,
   * which is printed, read and walked.
   */
  readonly tokens: number;
  /**
   * Number of times that the scanner reads a character again. An upper bound: an operator that is not given
   * back counts as if it were.
   */
  readonly rereads: number;
}

/** Longer texts are parsed in a thread. UTF-16 code units. */
const INLINE_LENGTH = 32 * 1024;
/**
 * About 12 ms on a quick processor, and below 40 ms on a slow one. SQL of 32 Ki characters, as people and
 * programs write it, has about as many; 16 Ki took 58 ms on the slow one.
 */
const INLINE_TOKENS = 10 * 1024;
/** A token takes about as long as reading so many characters again. */
const REREADS_OF_A_TOKEN = 100;
/**
 * Shorter texts fit, whatever they hold: at most this many tokens on each of 5
 * levels, and half its square read again.
 */
export const ALWAYS_FITS = 1024;
/** Bodies in bodies that are parsed: `tree-walk.ts`. */
const MAX_BODY_DEPTH = 5;

/**
 * A third of a second. Of what people write, comments full of `/*` come
 * closest: 500 lines of 80 characters are a twentieth.
 */
export const MAX_REREADS = 16 * 1024 * 1024;
/** Shorter texts are not counted: a megabyte of function bodies of this length takes seconds at worst. */
const NOT_COUNTED = 512;

/** Strings are parsed too where one may be the body of a function. Keywords have no other spelling. */
const HAS_BODIES = /\b(?:function|procedure)\b/i;

/** The characters of operators, by code. */
const operators = new Uint8Array(128);
for (const mark of '~!@#^&|`?+-*/%<>=') operators[mark.charCodeAt(0)] = 1;

const [slash, star] = [47, 42];

/** Counts in one pass over a text, from left to right. */
class RunCounter {
  rereads = 0;
  /** End of the last run: each run is measured once. */
  private runEnd = 0;

  constructor(private readonly source: string) {}

  /** The scanner begins at this character of a run, and reads to the end of it. */
  begin(at: number): void {
    if (at >= this.runEnd) {
      let end = at;
      while (operators[this.source.charCodeAt(end)] === 1) end += 1;
      this.runEnd = end;
    }
    // The character itself is read once in any case.
    this.rereads += Math.max(0, this.runEnd - at - 1);
  }

  /** A line comment is read once. A block comment begins a run, and so does each one within it. */
  comment(start: number, end: number): void {
    const { source } = this;
    if (source.charCodeAt(start) !== slash) return;
    this.begin(start);
    for (let at = start + 2; at < end; at += 1) {
      const code = source.charCodeAt(at);
      const following = source.charCodeAt(at + 1);
      if (code === slash && following === star) this.begin(at);
      // The next one begins behind both marks: in `*/*` there is none.
      if ((code === slash && following === star) || (code === star && following === slash)) at += 1;
    }
  }
}

/** Linear in time. It counts the text alone, not the bodies in its strings. */
function costOf(text: string, onString?: (lexer: SqlLexer) => void): ParseCost {
  const runs = new RunCounter(text);
  const lexer = new SqlLexer(text);
  let tokens = 0;
  while (lexer.next()) {
    const { kind, start, end } = lexer;
    if (kind === 'comment') runs.comment(start, end);
    else if (kind !== 'space') tokens += 1;
    if (kind === 'other' && operators[text.charCodeAt(start)] === 1) runs.begin(start);
    else if (kind === 'string') onString?.(lexer);
  }
  return { tokens, rereads: runs.rereads };
}

/** Linear in time. With the bodies of functions that the text may hold, which are parsed in turn. */
export function parseCost(text: string, depth = 0): ParseCost {
  let [tokens, rereads] = [0, 0];
  const hasBodies = depth < MAX_BODY_DEPTH && HAS_BODIES.test(text);
  const own = costOf(
    text,
    !hasBodies
      ? undefined
      : ({ source, body }) => {
          const inner = parseCost(decodeBody(source, body).text, depth + 1);
          tokens += inner.tokens;
          rereads += inner.rereads;
        },
  );
  return { tokens: tokens + own.tokens, rereads: rereads + own.rereads };
}

/** Tokens and what is read again, as a number of tokens. */
export function inTokens({ tokens, rereads }: ParseCost): number {
  return tokens + rereads / REREADS_OF_A_TOKEN;
}

/**
 * Whether these texts may together be parsed on the event loop: in at most 40 ms on a slow processor. Others
 * belong into a thread.
 */
export function fitsInline(...texts: readonly string[]): boolean {
  let [length, tokens] = [0, 0];
  for (const text of texts) length += text.length;
  if (length <= ALWAYS_FITS) return true;
  if (length > INLINE_LENGTH) return false;
  for (const text of texts) if ((tokens += inTokens(parseCost(text))) > INLINE_TOKENS) return false;
  return true;
}

/**
 * Number of times that the parser reads characters of this text again, without bodies in it; 0 for short
 * texts.
 */
export function rereadsOf(text: string): number {
  return text.length <= NOT_COUNTED ? 0 : costOf(text).rereads;
}
