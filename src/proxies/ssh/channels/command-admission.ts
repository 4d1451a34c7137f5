import type { CallCommand } from '../../../gate/command';
import { inputHash } from '../../../gate/script-input';
import type { Session } from '../../../gate/session';
import { FirstAbort } from '../../../kernel/async/first-abort';

/** The decision on a command. */
export type CommandDecision =
  | {
      readonly kind: 'admitted';
      /** Whether people approved this very command. */
      readonly isReviewed: boolean;
      /** Must be called when the command has ended. */
      readonly over: () => Promise<void>;
    }
  | { readonly kind: 'refused'; readonly message: string };

/** The start of a channel, for rules, reviewers and the recording. */
export interface AdmittedStart {
  /** Name for reviewers: `exec`, `shell` or `sftp`. */
  readonly name: string;
  /** Text to record. */
  readonly text: string;
  /** The command, which rules judge; undefined if there is none. */
  readonly command: string | undefined;
}

/**
 * Asks the gate to admit a command, a shell or a file transfer. Waits until people have decided if a rule
 * requires an approval.
 */
export class CommandAdmission {
  /**
   * @param stops signals that end the waiting
   * @param on.announce shows the client the review for which its command waits
   * @param on.decided identifies the client again after the wait, and rejects if its credential has ended
   */
  constructor(
    private readonly session: Session,
    private readonly stops: readonly AbortSignal[],
    private readonly on: {
      readonly announce: (reviewId: string) => void;
      readonly decided: () => Promise<unknown>;
    },
  ) {}

  /** @throws the reason of the first signal that aborts, or the error of `decided` */
  async admit(start: AdmittedStart): Promise<CommandDecision> {
    const call = await callOf(start);
    let announced: string | undefined;
    for (;;) {
      const isRecorded = announced !== undefined;
      const admission = await this.session.admitCall({ ...call, isRecorded });
      if (admission.kind === 'refused') return { kind: 'refused', message: admission.message };
      if (admission.kind === 'forward') {
        const isReviewed = admission.over !== undefined;
        return { kind: 'admitted', isReviewed, over: admission.over ?? (async () => undefined) };
      }
      const { reviewId } = admission;
      if (announced !== reviewId) this.on.announce(reviewId);
      announced = reviewId;
      await this.decided(reviewId);
      await this.on.decided();
    }
  }

  private async decided(reviewId: string): Promise<void> {
    const first = new FirstAbort(this.stops);
    try {
      await this.session.callDecided(reviewId, first.signal);
      first.signal.throwIfAborted();
    } finally {
      first.release();
    }
  }
}

/** A command is reviewed as a call of a live session, because its session stays open until the decision. */
async function callOf({ name, text, command }: AdmittedStart): Promise<CallCommand> {
  const input =
    command === undefined ? { script: '', arguments: [name] } : { script: command, arguments: [] };
  return {
    kind: 'call',
    text,
    judged: command === undefined ? [] : [{ text: command, as: 'input' }],
    call: { name, arguments: command ?? '', hash: await inputHash({ ...input, environment: {} }) },
  };
}
