import { Injectable } from '@nestjs/common';
import { RoleSettings } from '../../platform/config/groups';
import { AccessDecider, type AccessDecision } from '../../gate/ports/access-decider';
import type { Target, Verb } from '../../gate/ports/target-directory';
import { isOpenTo } from '../../connections/registry/fields/access-groups';
import { AppError } from '../../kernel/app-error';
import type { Principal } from '../../kernel/principal';
import type { AccessType } from './access-rule.entity';
import { AskedRules } from './asked-rules';
import { approvalOf, approvalRule, asks, typesFor } from './asking-rules';

const verbWords: Record<Verb, string> = { exec: 'scripts', connect: 'clients' };

/** Decides access by the connection's enabled verbs and access groups, and by the rules that cover it. */
@Injectable()
export class RuleAccessDecider extends AccessDecider {
  constructor(
    private readonly rules: AskedRules,
    private readonly roles: RoleSettings,
  ) {
    super();
  }

  decide(principal: Principal, target: Target, verb: Verb): Promise<AccessDecision> {
    return this.decideBy(principal, target, verb, typesFor[verb]);
  }

  async decideCall(principal: Principal, target: Target, mustReview: boolean): Promise<AccessDecision> {
    const decision = await this.decideBy(principal, target, 'connect', typesFor.exec);
    if (decision.kind !== 'allow' || !mustReview) return decision;
    return { ...decision, kind: 'review', rules: [approvalOf(this.roles.adminGroup)] };
  }

  /** @param verb the verb that must be enabled on the connection */
  private async decideBy(
    principal: Principal,
    target: Target,
    verb: Verb,
    types: readonly AccessType[],
  ): Promise<AccessDecision> {
    const { features, covering } = await this.rules.of(target, types);
    // Checked first, so that people learn nothing about a connection that they may not open.
    if (features.access_control && !isOpenTo(principal, target.accessGroups)) {
      return {
        kind: 'deny',
        code: 'not_in_access_groups',
        message: `none of your groups may open the connection ${target.name}`,
      };
    }
    if (!target.enabledVerbs.includes(verb)) {
      return {
        kind: 'deny',
        code: 'verb_disabled',
        message: `the connection ${target.name} does not accept ${verbWords[verb]}`,
      };
    }
    const fault = roleFault(principal, target);
    if (fault !== undefined) return { kind: 'deny', code: 'no_role', message: fault };
    const rules = covering.filter((rule) => asks(rule, principal.groups)).map(approvalRule);
    const reasonFor = covering.find((rule) => rule.reasonRequired)?.name;
    return rules.length === 0 ? { kind: 'allow', reasonFor } : { kind: 'review', rules, reasonFor };
  }
}

/**
 * Returns an error message if people act at the target in their own roles and the principal has none;
 * otherwise undefined.
 */
function roleFault(principal: Principal, target: Target): string | undefined {
  try {
    target.asPerson?.(principal);
    return undefined;
  } catch (error) {
    if (error instanceof AppError && error.code === 'forbidden') return error.message;
    throw error;
  }
}
