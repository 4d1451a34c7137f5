import type { MappedText } from './mapped-text';

/** One statement of an input. Ranges are UTF-16 code units, trimmed of white space. */
export interface CanonicalStatement {
  /** Start of the statement's range in the source. */
  readonly start: number;
  readonly end: number;
  /** Start of the statement's range in `whole.text`. */
  readonly canonicalStart: number;
  readonly canonicalEnd: number;
}

/** An input in canonical form: all spellings of the same input have one canonical text. */
export interface CanonicalInput {
  readonly whole: MappedText;
  /** The statements that are not empty, in order. */
  readonly statements: readonly CanonicalStatement[];
  /** False when strings were nested too deep, so that the innermost were not resolved. */
  readonly complete: boolean;
}
