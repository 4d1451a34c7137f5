import { RE2JS, RE2JSException } from 're2js';
import { type PatternGroup, patternGroups } from './pattern-group';
import type { Span } from './span';

/**
 * A set of RE2 patterns. Finds which of them match, in time linear to the text, and then where they match.
 */
export class PatternSet {
  private readonly compiled: readonly RE2JS[];
  private groups: readonly PatternGroup[];

  /** @throws Error `pattern_regex is not a valid RE2 pattern: …`, a message for the admin */
  constructor(patterns: readonly string[]) {
    this.compiled = patterns.map(compilePattern);
    this.groups = patternGroups(
      patterns.map((source, index) => ({ index, source, compiled: this.compiled[index]! })),
    );
  }

  /**
   * Returns the indexes of the patterns that match anywhere, in ascending order. A match of the empty text
   * counts too (`a*` in "b").
   */
  matching(text: string): number[] {
    const found: number[] = [];
    const kept: PatternGroup[] = [];
    const waiting = this.groups.toReversed();
    for (let group = waiting.pop(); group !== undefined; group = waiting.pop()) {
      const matches = group.matching(text);
      if (matches === 'overflow') {
        waiting.push(...group.smaller().toReversed());
      } else {
        found.push(...matches);
        kept.push(group);
      }
    }
    this.groups = kept;
    // The indexes ascend, because groups hold neighboring patterns and stay in order.
    return found;
  }

  /**
   * Yields the matches of a pattern at or after `from`, from left to right, without overlap; earlier
   * alternatives win. `^` and `\b` see the text before `from`. Empty matches are left out. If all are empty,
   * the first is returned, because a pattern that always matches must still block.
   */
  *occurrences(pattern: number, text: string, from: number): Generator<Span> {
    const matcher = this.compiled[pattern]!.matcher(text);
    let firstEmpty: Span | undefined;
    let isMarked = false;
    for (let found = matcher.find(from); found; found = matcher.find()) {
      const span = { start: matcher.start(), end: matcher.end() };
      if (span.end > span.start) {
        isMarked = true;
        yield span;
      } else {
        firstEmpty ??= span;
      }
    }
    if (firstEmpty !== undefined && !isMarked) yield firstEmpty;
  }
}

/** @throws Error `pattern_regex is not a valid RE2 pattern: …` */
export function compilePattern(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new Error(`pattern_regex is not a valid RE2 pattern: ${error.message}`, { cause: error });
  }
}
