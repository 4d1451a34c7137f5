import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RuleInspector } from '../../guardrails/rules/rule-inspector';
import { satisfies } from '../../platform/http/routes/access';
import { AppError } from '../../kernel/app-error';
import type { Principal } from '../../kernel/principal';
import { PolicyDecisions } from './policy-decisions';
import type { ScriptCheckView } from './script-check.dto';

/**
 * Reports what the guardrails of a connection would block in a script. The script does not run, the check is
 * not recorded, and the hit counts of the rules do not change.
 */
@Injectable()
export class ScriptCheckService {
  constructor(
    private readonly decisions: PolicyDecisions,
    private readonly rules: RuleInspector,
  ) {}

  /**
   * @param gone aborts when the client disconnects
   * @throws AppError `not_found`; `forbidden` for callers who may not open the connection at all;
   * `unprocessable` when a guardrail of the connection cannot be compiled
   */
  async check(
    actor: Principal,
    nameOrId: string,
    script: string,
    gone: AbortSignal,
  ): Promise<{ id: string; view: ScriptCheckView }> {
    const { target, decision } = await this.decisions.decide(actor, nameOrId, { verb: 'exec' });
    if (decision.kind === 'deny') throw new AppError('forbidden', decision.message);
    const applied = await this.rules.appliedTo(target);
    const inspector = await this.rules.inspector(
      target.orgId,
      {
        ids: applied.map(({ id }) => id),
        keepsRole: target.asPerson?.(actor).role !== undefined,
        language: target.language,
      },
      'input',
      {
        userId: actor.userId,
        connectionId: target.id,
        sessionId: randomUUID(),
        signals: [gone],
      },
    );
    const hits = (await inspector.inspect(script)).filter(({ action }) => action === 'block');
    const isShown = satisfies(actor.role, 'auditor');
    const findings = hits.map(({ message, rule_name, entry, start, end }) =>
      isShown ? { message, rule_name, entry, start, end } : { message },
    );
    const verdict = hits.length > 0 ? 'block' : 'pass';
    return { id: target.name, view: { verdict, findings: isShown ? findings : onePerMessage(findings) } };
  }
}

/** Returns each message once, because the number of an entry's matches would reveal its pattern. */
function onePerMessage(findings: readonly { readonly message: string }[]): { message: string }[] {
  return [...new Set(findings.map(({ message }) => message))].map((message) => ({ message }));
}
