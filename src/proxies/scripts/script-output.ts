import type { Delivery } from '../../gate/gated-stream';
import type { Session } from '../../gate/session';
import { EXIT_OK, type OutputSink } from '../../targets/contract/script-runner';
import { OutputCollector } from './output-collector';
import { type ScriptResult, blocked, still } from './script-results';

/**
 * The output of one script. Output is screened and recorded as it arrives, and then collected for the answer.
 */
export class ScriptOutput {
  private readonly collected = new OutputCollector();
  private readonly streams;
  /** Reason for which the gateway delivers no more output; undefined while it delivers output. */
  private refusal: string | undefined;

  constructor(private readonly session: Session) {
    this.streams = { o: session.openStream('o'), e: session.openStream('e') };
  }

  get isRefused(): boolean {
    return this.refusal !== undefined;
  }

  /** Accepts output of the target. Resolves with false if the target should send no more. */
  readonly sink: OutputSink = async (type, text, marks) => {
    if (marks !== undefined) this.collected.note(marks);
    return this.collect(type, await this.streams[type].deliver(text));
  };

  /** Delivers the output that screens still hold and, if the script was aborted, the reason. */
  async finish(signal: AbortSignal): Promise<void> {
    const { o, e } = this.streams;
    if (!this.isRefused) this.collect('o', await o.deliverRest());
    // Deliver the reason after all output, even held output, because the recording must end with the reason.
    if (signal.aborted) this.collect('e', await e.deliver(`${(signal.reason as Error).message}\n`));
    if (!this.isRefused) this.collect('e', await e.deliverRest());
  }

  /** Replaces the result of the script by a message. */
  refuse(message: string): void {
    this.refusal = message;
  }

  result(exitCode: number): ScriptResult {
    if (this.refusal !== undefined) return blocked(this.session, this.refusal);
    return {
      ...still(this.session),
      output: this.collected.text,
      output_status: exitCode === EXIT_OK ? 'success' : 'failed',
      exit_code: exitCode,
      truncated: this.collected.truncated,
      results: this.collected.results,
    };
  }

  private collect(type: 'o' | 'e', delivery: Delivery): boolean {
    if (delivery.kind === 'blocked') this.refusal ??= delivery.message;
    else if (type === 'o') this.collected.addOutput(delivery);
    else this.collected.addMessage(delivery.text);
    return !this.isRefused;
  }
}
