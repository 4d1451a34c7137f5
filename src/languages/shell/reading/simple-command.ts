import type { Word } from './word';

export interface HereDocument {
  readonly delimiter: string;
  /** Whether the delimiter is quoted, so that nothing in the body is expanded. */
  readonly isQuoted: boolean;
  readonly stripsTabs: boolean;
  /** The body, with `ANY` for expansions; undefined until it is read. */
  body: string | undefined;
}

export type RedirectOperator =
  | '<'
  | '<>'
  | '<&'
  | '<<'
  | '<<-'
  | '<<<'
  | '>'
  | '>>'
  | '>|'
  | '>&'
  | '&>'
  | '&>>';

export interface Redirection {
  readonly operator: RedirectOperator;
  /** Number or name of the file descriptor before the operator; empty if there is none. */
  readonly descriptor: string;
  readonly target: Word;
  readonly document?: HereDocument;
}

/** One command without its control structures, as written. */
export interface SimpleCommand {
  readonly start: number;
  end: number;
  /** Words that set variables, before the program. */
  readonly assignments: Word[];
  /** The program and its arguments; empty if the command only sets variables or redirects. */
  readonly words: Word[];
  readonly redirections: Redirection[];
}
