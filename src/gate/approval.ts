import type { Principal } from '../kernel/principal';
import type { Command } from './command';
import type { AccessDecision } from './ports/access-decider';
import type { ReviewDesk, ReviewedCall } from './ports/review-desk';
import type { Target } from './ports/target-directory';
import type { InputRefusal } from './refusal';
import { inputHash } from './script-input';

/** What becomes of a call. */
export type CallAdmission =
  | {
      readonly kind: 'forward';
      /** People approved this one call: to be called once it is over, however it ended. Without it the outcome is unknown. */
      readonly over?: () => Promise<void>;
    }
  | { readonly kind: 'pending'; readonly reviewId: string }
  | InputRefusal;

/** What was decided about the access of a session whose inputs people may have to approve. */
export class ApprovalDemand {
  constructor(
    private readonly desk: ReviewDesk,
    private readonly requester: Principal,
    private readonly connection: Target,
    private readonly access: AccessDecision,
    private readonly reason: string | null,
  ) {}

  /** Why no input of the session goes on. */
  get denial(): InputRefusal | undefined {
    return this.access.kind === 'deny' ? refusedBy(this.access.message) : undefined;
  }

  /** Asks people about an input, where a rule demands it. @returns undefined if it may go on. */
  async ask(
    sessionId: string,
    command: Command,
  ): Promise<{ readonly kind: 'pending'; readonly reviewId: string } | InputRefusal | undefined> {
    if (this.access.kind !== 'review') return undefined;
    const answer = await this.desk.ask({
      requester: this.requester,
      connection: this.connection,
      rules: this.access.rules,
      reason: this.reason,
      what: { type: 'onetime', sessionId, inputHash: await hashOf(command) },
    });
    switch (answer.kind) {
      case 'approved':
        return undefined;
      case 'pending':
        return answer;
      case 'rejected':
        return refusedBy(answer.message);
    }
  }
}

/** Asks people about single calls of a live session. */
export class CallApprovals {
  /** @param decide Access, as it is when the call is made. */
  constructor(
    private readonly desk: ReviewDesk,
    private readonly requester: Principal,
    private readonly connection: Target,
    private readonly reason: string | null,
    private readonly decide: () => Promise<AccessDecision>,
  ) {}

  /** Never rejects but with a fault of the desk or of the decision. */
  async ask(sessionId: string, call: ReviewedCall): Promise<CallAdmission> {
    const { desk, requester, connection, reason } = this;
    const access = await this.decide();
    if (access.kind === 'deny') return refusedBy(access.message);
    if (access.reasonFor !== undefined && reason === null)
      return refusedBy(`calls need a reason, which the rule ${access.reasonFor} demands`);
    if (access.kind === 'allow') return { kind: 'forward' };
    const { rules } = access;
    const answer = await desk.askCall({ requester, connection, rules, reason, sessionId, call });
    switch (answer.kind) {
      case 'claimed':
        return { kind: 'forward', over: () => desk.callOver(requester.orgId, answer.reviewId) };
      case 'pending':
        return answer;
      case 'rejected':
        return refusedBy(answer.message);
    }
  }
}

function refusedBy(message: string): InputRefusal {
  return { kind: 'refused', reason: 'access', message };
}

/** What people approve is a text as a whole. */
function hashOf(command: Command): Promise<Buffer> {
  if (command.kind !== 'statement' || typeof command.text !== 'string')
    throw new Error('people can approve a script only');
  return inputHash({ script: command.text, arguments: [], environment: {} });
}
