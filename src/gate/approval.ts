import type { Principal } from '../kernel/principal';
import type { Command } from './command';
import type { AccessDecision } from './ports/access-decider';
import type { ReviewDesk } from './ports/review-desk';
import type { Target } from './ports/target-directory';
import type { InputRefusal } from './refusal';
import { inputHash } from './script-input';

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
    if (this.access.kind !== 'deny') return undefined;
    return { kind: 'refused', reason: 'access', message: this.access.message };
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
        return { kind: 'refused', reason: 'access', message: answer.message };
    }
  }
}

/** What people approve is a text as a whole. */
function hashOf(command: Command): Promise<Buffer> {
  if (command.kind !== 'statement' || typeof command.text !== 'string')
    throw new Error('people can approve a script only');
  return inputHash({ script: command.text, arguments: [], environment: {} });
}
