import { Logger } from '@nestjs/common';
import type { CallCommand, JudgedText } from '../../../gate/command';
import { inputHash } from '../../../gate/script-input';
import type { Target } from '../../../gate/ports/target-directory';
import type { Session } from '../../../gate/session';
import { FirstAbort } from '../../../kernel/async/first-abort';
import { type ChannelEnding, blockedBy } from './ending';

/** A start that is admitted. */
export interface Admitted {
  /** Whether people approved this very command. */
  readonly isReviewed: boolean;
  /** The connection as it was stored when the session began or, after a wait, when people had decided. */
  readonly target: Target;
}

/** The decision on a command. */
type CommandDecision =
  | (Admitted & {
      readonly kind: 'admitted';
      /** Must be called when the command has ended. */
      readonly over: () => Promise<void>;
    })
  | { readonly kind: 'refused'; readonly message: string };

/** The start of a channel, for rules, reviewers and the recording. */
export interface AdmittedStart {
  /** Name for reviewers: `exec`, `shell`, `sftp`, `forward` or `listen`. */
  readonly name: string;
  /** Text to record. */
  readonly text: string;
  /** The command, which rules judge; undefined if there is none. */
  readonly command: string | undefined;
  /** The end of a forward, for reviewers. Rules judge the text as a value. */
  readonly end?: string;
}

/**
 * Asks the gate to admit a command, a shell or a file transfer. Waits until people have decided if a rule
 * requires an approval.
 */
export class CommandAdmission {
  private readonly log = new Logger(CommandAdmission.name);

  /**
   * @param stops signals that end the waiting
   * @param on.announce shows the client the review for which its command waits
   * @param on.decided identifies the client again after the wait, and reads its connection again. Rejects if
   * its credential has ended.
   */
  constructor(
    private readonly session: Session,
    private readonly stops: readonly AbortSignal[],
    private readonly on: {
      readonly announce: (reviewId: string) => void;
      readonly decided: () => Promise<Target>;
    },
  ) {}

  /**
   * Admits a start, and runs `work` if it is admitted. `work` must decide again what the connection allows,
   * because people may have changed it while the start waited.
   * @throws the error of `work`, the reason of the first signal that aborts, or the error of `decided`
   */
  async during(
    start: AdmittedStart,
    work: (admitted: Admitted) => Promise<ChannelEnding>,
  ): Promise<ChannelEnding> {
    const admitted = await this.admit(start);
    if (admitted.kind === 'refused') return blockedBy(admitted.message);
    try {
      return await work(admitted);
    } finally {
      await admitted.over().catch((error: unknown) => {
        const { id } = this.session;
        this.log.error({ err: error, session: id }, 'The end of a reviewed command was not stored');
      });
    }
  }

  private async admit(start: AdmittedStart): Promise<CommandDecision> {
    const call = await callOf(start);
    let { target } = this.session;
    let announced: string | undefined;
    for (;;) {
      const isRecorded = announced !== undefined;
      const admission = await this.session.admitCall({ ...call, isRecorded });
      if (admission.kind === 'refused') return { kind: 'refused', message: admission.message };
      if (admission.kind === 'forward') {
        const isReviewed = admission.over !== undefined;
        const over = admission.over ?? (async () => undefined);
        return { kind: 'admitted', isReviewed, target, over };
      }
      const { reviewId } = admission;
      if (announced !== reviewId) this.on.announce(reviewId);
      announced = reviewId;
      await this.decided(reviewId);
      target = await this.on.decided();
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
async function callOf({ name, text, command, end }: AdmittedStart): Promise<CallCommand> {
  const input =
    command === undefined
      ? { script: '', arguments: end === undefined ? [name] : [name, end] }
      : { script: command, arguments: [] };
  const judged: JudgedText[] =
    command !== undefined
      ? [{ text: command, as: 'input' }]
      : end === undefined
        ? []
        : [{ text, as: 'value' }];
  return {
    kind: 'call',
    text,
    judged,
    call: { name, arguments: command ?? end ?? '', hash: await inputHash({ ...input, environment: {} }) },
  };
}
