/** Takes output, and resolves when more may follow; false means that the script must stop. */
export type OutputSink = (type: 'o' | 'e', text: string) => Promise<boolean>;

/** Exit codes of scripts, as in psql. */
export const EXIT_OK = 0;
export const EXIT_STATEMENT_FAILED = 1;
export const EXIT_TARGET_LOST = 2;

/** Runs a script on one kind of target. */
export interface ScriptRunner {
  /**
   * Resolves with the exit code when the script is over. Faults of the target were written
   * to the sink. Stops soon after `signal` aborts.
   * @param dialled called once with whether the target accepted the connection; not called when `signal` aborted first.
   */
  run(
    secret: Readonly<Record<string, string>>,
    script: string,
    sink: OutputSink,
    signal: AbortSignal,
    dialled: (isReachable: boolean) => void,
  ): Promise<number>;
}
