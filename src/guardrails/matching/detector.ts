import type { Span } from './span';

/** Finds one kind of sensitive data, in time linear to the text. */
export interface Detector {
  /** The longest match it can make, in code units. */
  readonly longest: number;
  /**
   * Matches that begin at or after `from`, left to right, none overlapping; `LOOK_BEHIND` units before count.
   */
  occurrences(text: string, from: number): Generator<Span>;
}

/**
 * Number of units before a match that decide on it, such as those of a UUID: a stream cut closer to its start
 * could hide it, or make one.
 */
export const LOOK_BEHIND = 36;

/**
 * The head of a token, for the `u` flag: not behind a word character, where the n of a line break that is
 * written as `\n`, as in JSON, is none. Looking back only once the head is there keeps the search fast.
 */
export function tokenHead(head: string, joining = String.raw`\p{L}\p{N}_`): string {
  return String.raw`${head}(?<=(?:(?<![${joining}])|(?<=\\[nrt]))${head})`;
}

/**
 * Looks at every candidate that a built-in expression finds, and keeps those of which `endOf` knows the end.
 * These expressions are ours and bounded, so none backtracks far: no text makes one slow.
 */
export class CandidateDetector implements Detector {
  constructor(
    readonly longest: number,
    private readonly candidate: RegExp,
    private readonly endOf: (candidate: string, text: string, start: number) => number | undefined,
  ) {}

  *occurrences(text: string, from: number): Generator<Span> {
    for (let at = from; ;) {
      // Another search may have run since, and a copy for each would cost more than short texts do.
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
