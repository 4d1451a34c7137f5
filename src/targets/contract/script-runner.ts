/**
 * Kinds of output parts. `rows`: the rows of a statement, as a line of column names, then a line for each
 * row. `command`: the report of a statement without rows. `text`: other output, such as of COPY. `message`: a
 * notice or an error.
 */
export const OUTPUT_KINDS = ['rows', 'command', 'text', 'message'] as const;
export type OutputKind = (typeof OUTPUT_KINDS)[number];

/**
 * Position at which the result of a statement begins or ends (`end`). It counts UTF-16 code units in all
 * output of type `o`.
 */
export interface ResultMark {
  readonly at: number;
  readonly kind: Exclude<OutputKind, 'message'> | 'end';
}

/**
 * Accepts output. Resolves when it can accept more; false means that the script must stop.
 * @param marks beginnings and ends of results in this text, or at its end; a runner without statements omits
 * them.
 */
export type OutputSink = (type: 'o' | 'e', text: string, marks?: readonly ResultMark[]) => Promise<boolean>;

/** Exit codes of scripts, as in psql. */
export const EXIT_OK = 0;
export const EXIT_STATEMENT_FAILED = 1;
export const EXIT_TARGET_LOST = 2;

/** Runs a script on one kind of target. */
export interface ScriptRunner {
  /**
   * Runs a script, writes faults of the target to the sink, and resolves with the exit code at the end. Stops
   * soon after `signal` aborts.
   * @param dialled called once with whether the target accepted the
   * connection; not called when `signal` aborted first.
   * @param traceparent W3C trace context of the request, for the target to show
   */
  run(
    secret: Readonly<Record<string, string>>,
    script: string,
    sink: OutputSink,
    signal: AbortSignal,
    dialled: (isReachable: boolean) => void,
    traceparent?: string,
  ): Promise<number>;
}
