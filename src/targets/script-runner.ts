/** Takes output as it comes, and resolves when more may follow; false means: stop, nothing more is wanted. */
export type OutputSink = (type: 'o' | 'e', text: string) => Promise<boolean>;

/** Exit codes of scripts, as psql has them. */
export const EXIT_OK = 0;
export const EXIT_STATEMENT_FAILED = 1;
export const EXIT_TARGET_LOST = 2;

/** Runs a script on one kind of target. */
export interface ScriptRunner {
  /**
   * Resolves with the exit code when the script is over; whatever went wrong on the target was said
   * through the sink. Stops soon after `signal` aborts.
   * @param dialled told once whether the target let the gateway in; not when `signal` aborted before.
   */
  run(
    secret: Readonly<Record<string, string>>,
    script: string,
    sink: OutputSink,
    signal: AbortSignal,
    dialled: (isReachable: boolean) => void,
  ): Promise<number>;
}
