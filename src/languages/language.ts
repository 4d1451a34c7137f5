import type { FactsName, ParsedInput } from './parsed-input';
import type { CanonicalInput } from './text/canonical-input';
import type { MappedText } from './text/mapped-text';
import type { InputViews } from './tool-call/call-views';
import type { Place } from './tool-call/json-leaves';

/**
 * A language for the inputs of targets. Rules use it to read an input. To add a language, add a file beside
 * this one, a folder for its parts, and one line in `languages.ts`. A language depends on no target and no
 * protocol, and also runs in worker threads.
 */
export interface Language {
  /** Unique name of the language. */
  readonly name: string;
  /** Loads the language. Must be awaited in each thread before the thread uses the language. */
  load?(): Promise<void>;
  /**
   * Whether the canonical text differs from `text` at most in white space, comments and quotes. Then a rule
   * can search words in `text` itself.
   */
  isPlain(text: string): boolean;
  /**
   * Returns the canonical form. Never fails; takes linear time. For a language without this method,
   * `canonicalPlain` is used.
   */
  canonical?(text: string): CanonicalInput;
  /**
   * Returns advice for people about a text that was refused or failed: which part is meant for another
   * program, and what to do. Bounded in time.
   */
  hint?(text: string): string | undefined;
  /** Returns further spellings that a word of a rule can have in canonical text. */
  wordForms?(word: string): string[];
  /**
   * Name of the facts that `parse` returns, or `parse` of the embedded language. Rules about other facts do
   * not apply. Absent for languages without statement rules.
   */
  readonly facts?: FactsName;
  /** Language of other inputs that targets of this language take: operations on files, at a server. */
  readonly alongside?: Language;
  /**
   * Returns the facts of each statement. Absent for languages without statements of their own. Synchronous,
   * bounded in time, and never throws because of the text.
   * @param known keys of objects whose creation is judged separately
   */
  parse?(text: string, known?: Iterable<string>): ParsedInput;
  /**
   * Whether the statements of a text and of its embedded texts may be parsed on the event loop. Present if
   * `parse` or `embedded` is present.
   */
  fitsInline?(text: string): boolean;
  /**
   * Generates each text of an input that rules read, for inputs that consist of texts, such as tool calls.
   * Returns at the end whether all texts could be read. Never fails because of the text.
   * @param places paths of the arguments to read. Default: the whole input.
   */
  views?(text: string, places?: readonly Place[]): InputViews;
  /** Returns the texts that may be statements of another language. Present if `views` is present. */
  embedded?(text: string, places?: readonly Place[]): EmbeddedTexts;
}

export interface EmbeddedTexts {
  readonly language: Language;
  /** Each text is created when it is read. The texts can be read only once. */
  readonly texts: Iterable<MappedText>;
}
