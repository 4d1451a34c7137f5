import type { ParsedSql } from './postgresql/facts';
import type { MappedText } from './text/mapped-text';

/** One statement of an input. Ranges are UTF-16 code units, trimmed of white space. */
export interface CanonicalStatement {
  /** Its range in the source. */
  readonly start: number;
  readonly end: number;
  /** Its range in `whole.text`. */
  readonly canonicalStart: number;
  readonly canonicalEnd: number;
}

/** An input in the one spelling that all spellings of the same have in common. */
export interface CanonicalInput {
  readonly whole: MappedText;
  /** The statements that are not empty, in order. */
  readonly statements: readonly CanonicalStatement[];
  /** False when strings in strings were nested so deep that the innermost were not looked into. */
  readonly complete: boolean;
}

/**
 * A language in which targets are told what to do: how rules read an input. A new language is a folder beside this file and one line
 * in `languages.ts`. It knows no target and no protocol, and runs in worker threads too.
 */
export interface Language {
  /** Unique. */
  readonly name: string;
  /** Must have been awaited once in a thread before the language is used there. */
  load?(): Promise<void>;
  /** Whether the canonical text differs from this one in white space, comments and quotes at most: words may be looked for in it as it is. */
  isPlain(text: string): boolean;
  /** Never fails; linear in time. Absent: only what every text has in common is folded (`canonicalPlain`). */
  canonical?(text: string): CanonicalInput;
  /** How a word of a rule stands in canonical text, besides as it is written. */
  wordForms?(word: string): string[];
  /**
   * What each statement does: absent where no rule about statements has a say. Linear in time, synchronous, never throws for what the
   * text is. @param known names of things whose making is judged elsewhere.
   */
  parse?(text: string, known?: Iterable<string>): ParsedSql;
}
