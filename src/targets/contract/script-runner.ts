/**
 * Kind of a part of an output: `rows` of a statement (a line of names, then a line for each row), the report
 * of a `command` without rows, `text` that is neither, such as that of COPY, or a `message` beside the
 * output: a notice or an error.
 */
export const OUTPUT_KINDS = ['rows', 'command', 'text', 'message'] as const;
export type OutputKind = (typeof OUTPUT_KINDS)[number];

/**
 * Place where the result of a statement begins in all output of type `o`, or where it is whole (`end`), in
 * UTF-16 code units.
 */
export interface ResultMark {
  readonly at: number;
  readonly kind: Exclude<OutputKind, 'message'> | 'end';
}

/**
 * Takes output, and resolves when more may follow; false means that the script must stop.
 * @param marks of results in this text or at its end; a runner without statements leaves it out.
 */
export type OutputSink = (type: 'o' | 'e', text: string, marks?: readonly ResultMark[]) => Promise<boolean>;

/** Exit codes of scripts, as in psql. */
export const EXIT_OK = 0;
export const EXIT_STATEMENT_FAILED = 1;
export const EXIT_TARGET_LOST = 2;

/** A signed-in connection to a target, dialled before there was a script for it. One script may use it. */
export interface OpenTarget {
  /** False once it was closed by either side. */
  readonly isOpen: boolean;
  close(): void;
}

/** Parts of a script's execution that were prepared before it began. */
export interface AheadOfScript {
  /** From `dial`, with the same secret. The script uses it, and it is closed in any case. */
  readonly ready: OpenTarget | undefined;
  /**
   * If set, the target is asked on the script's connection, before the script,
   * how many more connections it would take.
   */
  readonly noteRoom?: (room: number) => void;
}

/** Runs a script on one kind of target. */
export interface ScriptRunner {
  /**
   * Connects to the target as `run` does; absent where nothing is gained by
   * that. Rejects when the target refuses.
   */
  readonly dial?: (secret: Readonly<Record<string, string>>) => Promise<OpenTarget>;
  /**
   * Resolves with the exit code when the script is over. Faults of the target were written
   * to the sink. Stops soon after `signal` aborts.
   * @param dialled called once with whether the target accepted the
   * connection; not called when `signal` aborted first.
   * @param traceparent of the request that runs it (W3C), for the target to show
   */
  run(
    secret: Readonly<Record<string, string>>,
    script: string,
    sink: OutputSink,
    signal: AbortSignal,
    dialled: (isReachable: boolean) => void,
    ahead?: AheadOfScript,
    traceparent?: string,
  ): Promise<number>;
}
