import type { ParsedSql } from './postgresql/facts/facts';
import type { CanonicalInput } from './text/canonical-input';
import type { MappedText } from './text/mapped-text';
import type { InputViews } from './tool-call/call-views';
import type { Place } from './tool-call/json-leaves';

/**
 * A language for the inputs of targets. Rules read an input by it. A new language is a file beside this one,
 * a folder for its parts, and one line in `languages.ts`. A language depends on no target and no protocol,
 * and also runs in worker threads.
 */
export interface Language {
  /** Unique. */
  readonly name: string;
  /** Must have been awaited once in each thread that uses the language. */
  load?(): Promise<void>;
  /**
   * Whether the canonical text differs from `text` at most in white space, comments and quotes, so that words
   * can be searched in `text` itself.
   */
  isPlain(text: string): boolean;
  /**
   * Never fails; takes linear time. Absent: only the folding that applies to
   * every text is done (`canonicalPlain`).
   */
  canonical?(text: string): CanonicalInput;
  /**
   * For people, about a text that was refused or failed: what in it another
   * program reads, and what to do. Bounded in time.
   */
  hint?(text: string): string | undefined;
  /** Further spellings that a rule's word has in canonical text. */
  wordForms?(word: string): string[];
  /**
   * The facts of each statement. Absent for languages without statement rules. Synchronous, bounded in time,
   * and never throws because of the text. @param known names of objects whose creation is judged elsewhere.
   */
  parse?(text: string, known?: Iterable<string>): ParsedSql;
  /**
   * Whether the statements of a text, with those of its embedded texts, may be parsed on the event loop.
   * Present where `parse` or `embedded` is.
   */
  fitsInline?(text: string): boolean;
  /**
   * For inputs that consist of texts, such as calls of tools: the texts that rules read, each by itself, and
   * at the end whether all could be read. Never fails because of the text.
   * @param places the places of the arguments that are read. Default: the whole input.
   */
  views?(text: string, places?: readonly Place[]): InputViews;
  /** The texts of an input that may be statements of another language. Present where `views` is. */
  embedded?(text: string, places?: readonly Place[]): EmbeddedTexts;
}

export interface EmbeddedTexts {
  readonly language: Language;
  /** Each is made when it is read; they can be read once. */
  readonly texts: Iterable<MappedText>;
}
