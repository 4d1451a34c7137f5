import { SqlLexer } from '../lexing/lexer';
import { decodeBody } from '../lexing/literal-body';

/**
 * Cost of a text in PostgreSQL's parser, computed before it is parsed. The parser's scanner matches a whole
 * run of operator characters, and may then push back all characters but the first. Then it reads the rest of
 * the run again for each token, and in a comment for each nested comment. So a run can cost its length
 * squared, and a limit on the length of a text is not enough: `1+-+-…` of 32 kB took 4 s.
 */
export interface ParseCost {
  /**
   * Number of tokens without white space and comments. Each token becomes a part of the tree, which is
   * printed, read and walked.
   */
  readonly tokens: number;
  /**
   * Number of characters that the scanner reads again. It is an upper bound, because operators that the
   * scanner does not push back are counted too.
   */
  readonly rereads: number;
}

/** Maximum length, in UTF-16 code units, of texts that are parsed on the event loop, and not in a thread. */
const INLINE_LENGTH = 32 * 1024;
/**
 * Maximum number of tokens that are parsed on the event loop. Parsing them takes about 12 ms on a fast
 * processor, and less than 40 ms on a slow one. Ordinary SQL of 32 Ki characters has about this many tokens.
 * 16 Ki tokens took 58 ms on the slow processor.
 */
const INLINE_TOKENS = 10 * 1024;
/** Number of characters whose rereading takes about as long as one token. */
const REREADS_OF_A_TOKEN = 100;
/**
 * Length up to which a text may always be parsed on the event loop. At worst it has this many tokens on each
 * of 5 levels of function bodies, and half the square of the length in rereads.
 */
export const ALWAYS_FITS = 1024;
/** Maximum depth of function bodies inside function bodies, as in `tree-walk.ts`. */
const MAX_BODY_DEPTH = 5;

/**
 * Maximum number of rereads for one text, which take a third of a second. Ordinary SQL stays far below: even
 * 500 comment lines of 80 characters, full of `/*`, have only a twentieth of it.
 */
export const MAX_REREADS = 16 * 1024 * 1024;
/**
 * Maximum length of a text whose rereads are not counted. A megabyte of function bodies of this length takes
 * seconds at worst.
 */
const NOT_COUNTED = 512;

/** Matches a text whose strings may be function bodies. Keywords have no other spelling. */
const HAS_BODIES = /\b(?:function|procedure)\b/i;

/** Per ASCII character: 1 if it is an operator character. */
const operators = new Uint8Array(128);
for (const mark of '~!@#^&|`?+-*/%<>=') operators[mark.charCodeAt(0)] = 1;

const [slash, star] = [47, 42];

/** Counts the characters that the scanner reads again, in one pass over a text from left to right. */
class RunCounter {
  rereads = 0;
  /** End of the last run of operator characters. It is kept so that each run is measured only once. */
  private runEnd = 0;

  constructor(private readonly source: string) {}

  /** Counts one read of a run, from the character at `at` to the end of the run. */
  begin(at: number): void {
    if (at >= this.runEnd) {
      let end = at;
      while (operators[this.source.charCodeAt(end)] === 1) end += 1;
      this.runEnd = end;
    }
    // The first character is not counted, because it is read once in any case.
    this.rereads += Math.max(0, this.runEnd - at - 1);
  }

  /**
   * Counts the rereads of a comment. A line comment has none. Each block comment, even a nested one, begins a
   * run.
   */
  comment(start: number, end: number): void {
    const { source } = this;
    if (source.charCodeAt(start) !== slash) return;
    this.begin(start);
    for (let at = start + 2; at < end; at += 1) {
      const code = source.charCodeAt(at);
      const following = source.charCodeAt(at + 1);
      if (code === slash && following === star) this.begin(at);
      // Skips both characters, because the second one cannot begin the next mark: `*/*` contains no `/*`.
      if ((code === slash && following === star) || (code === star && following === slash)) at += 1;
    }
  }
}

/** Returns the cost of a text without the function bodies in its strings. Takes linear time. */
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

/** Returns the cost of a text with its function bodies, which are parsed too. Takes linear time. */
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

/** Returns the cost as a number of tokens; rereads are converted to tokens. */
export function inTokens({ tokens, rereads }: ParseCost): number {
  return tokens + rereads / REREADS_OF_A_TOKEN;
}

/**
 * Whether these texts together may be parsed on the event loop, in at most 40 ms on a slow processor. Other
 * texts must be parsed in a thread.
 */
export function fitsInline(...texts: readonly string[]): boolean {
  let [length, tokens] = [0, 0];
  for (const text of texts) length += text.length;
  if (length <= ALWAYS_FITS) return true;
  if (length > INLINE_LENGTH) return false;
  for (const text of texts) if ((tokens += inTokens(parseCost(text))) > INLINE_TOKENS) return false;
  return true;
}

/** Returns the rereads of a text without the function bodies in it; 0 for short texts. */
export function rereadsOf(text: string): number {
  return text.length <= NOT_COUNTED ? 0 : costOf(text).rereads;
}
