import { type RE2JS, RE2Set } from 're2js';
import { beforeReset } from './re2-parts';

/** Some of the patterns of a set, searched together. */
export interface PatternGroup {
  /**
   * Returns the indexes of the patterns that match. `overflow`: no result; search `smaller()` groups instead.
   */
  matching(text: string): readonly number[] | 'overflow';
  smaller(): readonly PatternGroup[];
}

/** A pattern with its index in the whole set. */
interface NumberedPattern {
  readonly index: number;
  readonly source: string;
  readonly compiled: RE2JS;
}

/** Memory for automaton states in bytes: for the first group, and the minimum for smaller groups. */
const MOST_MEMORY = 8 * 1_048_576;
const LEAST_MEMORY = 2 * 1_048_576;
/** Minimum number of code units read per state built. Below it, most of the work is building states. */
const FAIR_UNITS_PER_STATE = 200;

class Overflow extends Error {}

/** Returns the initial groups of patterns: one group, unless its compiled program would be too large. */
export function patternGroups(
  patterns: readonly NumberedPattern[],
  memory = MOST_MEMORY,
): readonly PatternGroup[] {
  if (patterns.length === 0) return [];
  try {
    return [new JoinedPatterns(patterns, memory)];
  } catch {
    // Each pattern can be compiled alone, so the error means that the joined program is too large.
    return halvesOf(patterns, memory);
  }
}

function halvesOf(patterns: readonly NumberedPattern[], memory: number): readonly PatternGroup[] {
  const [only] = patterns;
  if (only !== undefined && patterns.length === 1) return [new LonePattern(only)];
  const middle = patterns.length >>> 1;
  const share = Math.max(LEAST_MEMORY, memory / 2);
  return [
    ...patternGroups(patterns.slice(0, middle), share),
    ...patternGroups(patterns.slice(middle), share),
  ];
}

/**
 * Patterns in one lazy automaton, which reads the text once for all of them. Some patterns multiply each
 * other's states (`a.*b` with `c.*d`). Then the library builds nearly one state per unit and runs at less
 * than 1 MB/s, while each half of the patterns alone runs at full speed.
 */
class JoinedPatterns implements PatternGroup {
  private readonly set: RE2Set;
  private unitsSinceReset = 0;

  constructor(
    private readonly patterns: readonly NumberedPattern[],
    private readonly memory: number,
  ) {
    this.set = new RE2Set(RE2Set.UNANCHORED, 0, memory);
    for (const { source } of patterns) this.set.add(source);
    this.set.compile();
    this.watchResets();
  }

  matching(text: string): readonly number[] | 'overflow' {
    this.unitsSinceReset += text.length;
    try {
      return this.set.match(text).map((place) => this.patterns[place]!.index);
    } catch (error) {
      if (error instanceof Overflow) return 'overflow';
      throw error;
    }
  }

  smaller(): readonly PatternGroup[] {
    return halvesOf(this.patterns, this.memory);
  }

  /**
   * Stops a search whose states multiply. The library drops all states when they fill its memory. That is
   * normal after much text. After little text, it shows that the states multiply.
   */
  private watchResets(): void {
    beforeReset(this.set, (states) => {
      const isFair = this.unitsSinceReset >= FAIR_UNITS_PER_STATE * states;
      this.unitsSinceReset = 0;
      if (!isFair) throw new Overflow();
    });
  }
}

/**
 * A pattern that has too many states even alone (`x.{500}y`). Its search is still linear in the text, but
 * slower than 1 MB/s, unless the text lacks a part that every match contains.
 */
class LonePattern implements PatternGroup {
  constructor(private readonly pattern: NumberedPattern) {}

  matching(text: string): readonly number[] {
    return this.pattern.compiled.matcher(text).find() ? [this.pattern.index] : [];
  }

  smaller(): readonly PatternGroup[] {
    return [this];
  }
}
