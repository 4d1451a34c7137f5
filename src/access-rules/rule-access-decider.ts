import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { OrganizationsService } from '../auth/organizations.service';
import { RoleSettings } from '../config/groups';
import { AccessDecider, type AccessDecision } from '../gate/ports/access-decider';
import type { Target, Verb } from '../gate/ports/target-directory';
import { isOpenTo } from '../kernel/access-groups';
import type { Principal } from '../kernel/principal';
import { AccessRule, type AccessType } from './access-rule.entity';
import { approvalOf, approvalRule, asks, typesFor } from './asking-rules';
import { coversVisibly } from './covering';

const verbWords: Record<Verb, string> = { exec: 'scripts', connect: 'clients' };

/** Decides by the connection's switches and groups, and by the access request rules that cover it. */
@Injectable()
export class RuleAccessDecider extends AccessDecider {
  constructor(
    @InjectRepository(AccessRule) private readonly rules: Repository<AccessRule>,
    private readonly organizations: OrganizationsService,
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

  /** @param verb the switch of the connection that must be on. */
  private async decideBy(
    principal: Principal,
    target: Target,
    verb: Verb,
    types: readonly AccessType[],
  ): Promise<AccessDecision> {
    const features = await this.organizations.features(principal.orgId);
    // Checked first: nobody must learn about switches and rules of a connection that they may not open.
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
    const covering = features.review ? await this.covering(target, types) : [];
    const rules = covering.filter((rule) => asks(rule, principal.groups)).map(approvalRule);
    const reasonFor = covering.find((rule) => rule.reasonRequired)?.name;
    return rules.length === 0 ? { kind: 'allow', reasonFor } : { kind: 'review', rules, reasonFor };
  }

  /** All rules of these types that name the connection or share an attribute with it; each must be satisfied. */
  private covering(target: Target, types: readonly AccessType[]): Promise<AccessRule[]> {
    return this.rules
      .createQueryBuilder('rule')
      .where('rule.org_id = :orgId AND rule.access_type IN (:...types)', { orgId: target.orgId, types })
      .andWhere(...coversVisibly(target.name, target.attributes))
      .orderBy('rule.name')
      .getMany();
  }
}
