import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { OrganizationsService } from '../auth/organizations.service';
import { AccessDecider, type AccessDecision, type ApprovalRule } from '../gate/ports/access-decider';
import type { Target, Verb } from '../gate/ports/target-directory';
import type { Principal } from '../kernel/principal';
import { MAX_SECONDS } from './access-rule.dto';
import { AccessRule, type AccessType } from './access-rule.entity';

const typesFor: Record<Verb, AccessType[]> = {
  exec: ['command', 'jit_command'],
  connect: ['jit', 'jit_command'],
};

const verbWords: Record<Verb, string> = { exec: 'scripts', connect: 'clients' };

/** Decides by the connection's switches, its groups, and the access request rules that cover it. */
@Injectable()
export class RuleAccessDecider extends AccessDecider {
  constructor(
    @InjectRepository(AccessRule) private readonly rules: Repository<AccessRule>,
    private readonly organizations: OrganizationsService,
  ) {
    super();
  }

  async decide(principal: Principal, target: Target, verb: Verb): Promise<AccessDecision> {
    if (!target.enabledVerbs.includes(verb)) {
      return {
        kind: 'deny',
        code: 'verb_disabled',
        message: `the connection ${target.name} does not take ${verbWords[verb]}`,
      };
    }
    const features = await this.organizations.features(principal.orgId);
    if (features.access_control && !maySee(principal, target)) {
      return {
        kind: 'deny',
        code: 'not_in_access_groups',
        message: `none of your groups may open the connection ${target.name}`,
      };
    }
    const rule = features.review ? await this.ruleFor(target, verb) : null;
    if (rule === null || principal.groups.some((group) => rule.skipReviewGroups.includes(group))) {
      return { kind: 'allow' };
    }
    return { kind: 'review', rule: approvalRule(rule) };
  }

  /** A rule that names the connection goes before one that shares an attribute with it. */
  private ruleFor(target: Target, verb: Verb): Promise<AccessRule | null> {
    return this.rules
      .createQueryBuilder('rule')
      .where('rule.org_id = :orgId AND rule.access_type IN (:...types)', {
        orgId: target.orgId,
        types: typesFor[verb],
      })
      .andWhere('(rule.connection_names @> :names OR rule.attributes && :attributes)', {
        names: [target.name],
        attributes: target.attributes,
      })
      .orderBy('rule.connection_names @> :names', 'DESC')
      .addOrderBy('rule.created_at')
      .getOne();
  }
}

function maySee(principal: Principal, target: Target): boolean {
  return principal.role === 'admin' || principal.groups.some((group) => target.accessGroups.includes(group));
}

function approvalRule(rule: AccessRule): ApprovalRule {
  return {
    id: rule.id,
    name: rule.name,
    reviewersGroups: [...new Set([...rule.reviewersGroups, ...rule.approvalRequiredGroups])],
    forceApprovalGroups: rule.forceApprovalGroups,
    allGroupsMustApprove: rule.allGroupsMustApprove,
    minApprovals: rule.minApprovals ?? 1,
    accessMaxDuration: rule.accessMaxDuration ?? MAX_SECONDS,
  };
}
