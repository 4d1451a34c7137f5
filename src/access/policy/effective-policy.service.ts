import { Injectable } from '@nestjs/common';
import { AccessRulesService } from '../../approvals/access-rules/access-rules.service';
import {
  type OrganizationFeatures,
  OrganizationsService,
} from '../../identity/auth/organization/organizations.service';
import { type AccessDecision, type ApprovalRule, votersOf } from '../../gate/ports/access-decider';
import type { Target } from '../../gate/ports/target-directory';
import { ConnectionsService } from '../../connections/registry/connections.service';
import { RuleInspector } from '../../guardrails/rules/rule-inspector';
import { hasEmergencyAccess } from '../../connections/registry/fields/access-groups';
import { AppError } from '../../kernel/app-error';
import { visibleName } from '../../kernel/text/names';
import { satisfies } from '../../platform/http/routes/access';
import type { Principal } from '../../kernel/principal';
import type {
  AppliedAccessRuleView,
  AppliedGuardrailView,
  EffectivePolicyView,
  PolicyQuery,
  ReasonView,
} from './policy.dto';
import { PolicyDecisions } from './policy-decisions';

/** Reports the effective policy. Uses the gate's own `AccessDecider`, so that both decide the same. */
@Injectable()
export class EffectivePolicyService {
  constructor(
    private readonly decisions: PolicyDecisions,
    private readonly accessRules: AccessRulesService,
    private readonly guardrails: RuleInspector,
    private readonly organizations: OrganizationsService,
    private readonly connections: ConnectionsService,
  ) {}

  async of(actor: Principal, nameOrId: string, query: PolicyQuery): Promise<EffectivePolicyView> {
    const { target, user, decision } = await this.decisions.decide(actor, nameOrId, query);
    const accessRules = await this.accessRulesOn(target);
    const isOwn = user.principal.userId === actor.userId;
    const refused = refusalOf(user, isOwn);
    // Only auditors and admins may read rules and guardrails. Other callers see only the groups that must
    // approve, which they also see on their own reviews.
    const showsRules = satisfies(actor.role, 'auditor');
    const features = await this.organizations.features(actor.orgId);
    return {
      connection: target.name,
      user: user.principal.subject,
      outcome: refused === undefined ? outcomeOf(decision) : 'refused',
      reasons: [
        refused ?? reasonOf(decision, accessRules, isOwn),
        ...(refused === undefined ? await this.emergency(decision, target, user.principal, isOwn) : []),
        ...idle(features, target, showsRules ? accessRules : []),
      ],
      guardrails: showsRules ? await this.appliedTo(target) : [],
      access_rules: showsRules ? accessRules : [],
      reviewers_groups:
        decision.kind === 'review' && refused === undefined ? askedGroups(decision.rules) : [],
      target_role: roleOf(user.principal, target),
    };
  }

  /** Returns the reason `emergency_access` if the user may declare an emergency. API keys may not. */
  private async emergency(
    { kind }: AccessDecision,
    { orgId, id }: Target,
    principal: Principal,
    isOwn: boolean,
  ): Promise<ReasonView[]> {
    if (kind !== 'review' || principal.identityType === 'machine') return [];
    const groups = (await this.connections.emergencyGroups(orgId, id)) ?? [];
    return hasEmergencyAccess(principal, groups)
      ? [
          {
            code: 'emergency_access',
            message: isOwn
              ? 'in an emergency, you may open your own request with a reason'
              : 'in an emergency, the user may open the own request with a reason',
          },
        ]
      : [];
  }

  private async appliedTo(target: Target): Promise<AppliedGuardrailView[]> {
    const rules = await this.guardrails.appliedTo(target);
    return rules.map((rule) => ({ ...rule, warnings: [...rule.warnings] }));
  }

  private async accessRulesOn(target: Target): Promise<AppliedAccessRuleView[]> {
    const rules = await this.accessRules.covering(target.orgId, target.name, target.attributes);
    return rules.map(({ name, access_type, connection_names, attributes }) => ({
      name,
      access_type,
      origin: seenAmong(connection_names, [target.name])
        ? { by: 'name', value: target.name }
        : {
            by: 'attribute',
            value: attributes.find((attribute) => seenAmong(target.attributes, [attribute])) ?? '',
          },
    }));
  }
}

/** Returns the person's role at the target; null if there is none. The decision refuses such a person. */
function roleOf(principal: Principal, target: Target): string | null {
  try {
    return target.asPerson?.(principal).role ?? null;
  } catch (error) {
    if (error instanceof AppError && error.code === 'forbidden') return null;
    throw error;
  }
}

/** Returns a reason for each setting of the connection that has no effect because a feature is off. */
function idle(
  features: OrganizationFeatures,
  { accessGroups }: Target,
  rules: readonly AppliedAccessRuleView[],
): ReasonView[] {
  const reasons: ReasonView[] = [];
  if (!features.access_control && accessGroups.length > 0)
    reasons.push({
      code: 'access_groups_not_enforced',
      message: `access_groups is set (${accessGroups.join(', ')}) but not enforced: the access control feature is off`,
    });
  if (!features.review && rules.length > 0)
    reasons.push({
      code: 'access_rules_not_enforced',
      message: `access request rules cover the connection (${rules.map(({ name }) => name).join(', ')}) but no approval is requested: the review feature is off`,
    });
  return reasons;
}

/** Whether a wanted name is among the names. Compares visible characters only, as the decider does. */
function seenAmong(names: readonly string[], wanted: readonly string[]): boolean {
  const seen = new Set(names.map(visibleName));
  return wanted.some((name) => seen.has(visibleName(name)));
}

/** Returns why the user is refused on every connection; undefined: the user is not refused. */
function refusalOf(
  { principal, isActive }: { principal: Principal; isActive: boolean },
  isOwn: boolean,
): ReasonView | undefined {
  // The message never addresses the caller, because inactive users cannot send requests.
  if (!isActive) return { code: 'user_inactive', message: 'the user is inactive and has no access' };
  return satisfies(principal.role, 'operator')
    ? undefined
    : {
        code: 'auditors_only_read',
        message: `${isOwn ? 'you are' : 'the user is'} an auditor: auditors may read, but open no connections`,
      };
}

function askedGroups(rules: readonly ApprovalRule[]): string[] {
  return [...new Set(rules.flatMap(votersOf))];
}

function outcomeOf(decision: AccessDecision): EffectivePolicyView['outcome'] {
  const outcomes: Record<AccessDecision['kind'], string> = {
    allow: 'open',
    review: 'review',
    deny: 'refused',
  };
  return outcomes[decision.kind];
}

function reasonOf(
  decision: AccessDecision,
  rules: readonly AppliedAccessRuleView[],
  isOwn: boolean,
): ReasonView {
  switch (decision.kind) {
    case 'deny':
      return { code: decision.code, message: decision.message };
    case 'review': {
      const asking = decision.rules.map(
        (rule) => `the rule ${rule.name} requires approval by ${votersOf(rule).join(', ')}`,
      );
      return { code: 'review_required', message: asking.join('; ') };
    }
    case 'allow':
      return rules.length === 0
        ? { code: 'no_rule_applies', message: 'no access request rule covers the connection' }
        : {
            code: 'review_skipped',
            message: `access request rules cover the connection, but none requires approval ${isOwn ? 'of you' : 'for this user'}`,
          };
  }
}
