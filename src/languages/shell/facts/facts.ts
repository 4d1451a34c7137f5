import type { TextRange } from '../../text/mapped-text';
import type { Unparseable } from '../../text/unparseable';

/**
 * Stands in a fact for a piece that only the shell knows, such as the value of a variable or the names of
 * files that match a pattern. It may be empty, and may be several words.
 */
export { ANY } from '../reading/word';

/** A command that may run. The range is that of the whole command in the input, in UTF-16 code units. */
export interface CommandFact extends TextRange {
  /** The program as it is called: a name, or a path. */
  readonly program: string;
  readonly args: readonly string[];
}

/** A file that a redirection writes. */
export interface WriteFact extends TextRange {
  readonly path: string;
}

/** A part of the input that does not show which commands it runs. */
export interface HiddenFact extends TextRange {
  readonly reason: string;
}

/**
 * Possible effects of the commands of an input, at any depth. Plain data, so that it can be cloned between
 * threads.
 */
export interface ShellFacts {
  readonly kind: 'commands';
  readonly commands: readonly CommandFact[];
  readonly writes: readonly WriteFact[];
  readonly hidden: readonly HiddenFact[];
  /** Whether a command changes the working directory, so that a relative path may lead anywhere. */
  readonly changesDirectory: boolean;
}

/** Result of reading a text. */
export type ParsedShell = ShellFacts | Unparseable;
