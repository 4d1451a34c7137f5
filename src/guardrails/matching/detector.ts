import type { Span } from './span';

/** Finds one kind of sensitive data, in time linear to the text. */
export interface Detector {
  /** Maximum length of a match, in code units. */
  readonly longest: number;
  /**
   * Yields the matches that begin at or after `from`, from left to right, without overlap. A match may depend
   * on the `LOOK_BEHIND` units before it.
   */
  occurrences(text: string, from: number): Generator<Span>;
}

/**
 * Maximum number of code units before a match that decide whether it is a match, such as the beginning of a
 * UUID. If a search sees fewer of them, it may miss the match or find a false one.
 */
export const LOOK_BEHIND = 36;

/**
 * Returns a regular expression for the beginning of a token, before which no word character stands. With the
 * default `joining`, it needs the `u` flag. The n of an escaped line break (`\n`, as in JSON) is not a word
 * character here. The expression looks behind only after the beginning matched, which keeps the search fast.
 */
export function tokenHead(head: string, joining = String.raw`\p{L}\p{N}_`): string {
  return String.raw`${head}(?<=(?:(?<![${joining}])|(?<=\\[nrt]))${head})`;
}

/**
 * Checks every candidate that a built-in expression finds, and keeps it when `endOf` returns its end. The
 * built-in expressions are bounded, so no text makes them backtrack far.
 */
export class CandidateDetector implements Detector {
  constructor(
    readonly longest: number,
    private readonly candidate: RegExp,
    private readonly endOf: (candidate: string, text: string, start: number) => number | undefined,
  ) {}

  *occurrences(text: string, from: number): Generator<Span> {
    for (let at = from; ;) {
      // Sets `lastIndex` each time, because other searches share the expression. Copying the expression would
      // cost more than searching a short text.
      this.candidate.lastIndex = at;
      const found = this.candidate.exec(text);
      if (found === null) return;
      const start = found.index;
      const end = this.endOf(found[0], text, start);
      at = end ?? start + 1;
      if (end !== undefined) yield { start, end };
    }
  }
}

export function isDigitAt(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 48 && unit <= 57;
}

export function isLatinLetterOrDigit(text: string, at: number): boolean {
  const unit = text.charCodeAt(at) | 0x20;
  return isDigitAt(text, at) || (unit >= 97 && unit <= 122);
}
