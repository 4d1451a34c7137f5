import type { Argument } from './arguments';
import type { Doubt } from './options';

/** Code and commands in the arguments of a program, in another form than that of `sudo`. */
export interface CodeArguments {
  /** Texts that are run as scripts. */
  readonly texts?: readonly Argument[];
  /** Commands that are run. */
  readonly words?: readonly (readonly Argument[])[];
  /** Reason why it runs something that is not read. */
  readonly hides?: string | undefined;
  readonly doubts?: readonly Doubt[];
  /** Variables that it sets to what only the shell knows. */
  readonly sets?: readonly string[];
}

/** Finds what stands in the arguments of one program. */
export type CodeReader = (args: readonly Argument[]) => CodeArguments;
