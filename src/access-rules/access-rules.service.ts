import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { UNIQUE_VIOLATION, brokenConstraint } from '../database/constraint';
import { type PageQuery, pageOf } from '../http/page';
import { AppError } from '../kernel/app-error';
import {
  type AccessRuleBody,
  type AccessRulePage,
  type AccessRuleView,
  accessRuleView,
} from './access-rule.dto';
import { AccessRule } from './access-rule.entity';
import { faultsOf, meetingTypes } from './rule-faults';

@Injectable()
export class AccessRulesService {
  constructor(@InjectRepository(AccessRule) private readonly rules: Repository<AccessRule>) {}

  async list(orgId: string, query: PageQuery): Promise<AccessRulePage> {
    const [rules, total] = await this.rules.findAndCount({
      where: { orgId },
      order: { createdAt: 'DESC', id: 'DESC' },
      skip: query.offset,
      take: query.size,
    });
    return pageOf(query, rules.map(accessRuleView), total);
  }

  async create(orgId: string, body: AccessRuleBody): Promise<AccessRuleView> {
    const rule = this.rules.create({ orgId, managedBy: null, ...definition(body) });
    const faults = faultsOf(rule);
    if (faults.length > 0) throw new AppError('unprocessable', faults.join('; '));
    try {
      await this.rules.manager.transaction(async (db) => {
        await this.refuseOverlap(db, rule);
        await db.save(rule);
      });
    } catch (error) {
      if (brokenConstraint(error, UNIQUE_VIOLATION) !== 'access_request_rules_name_unique') throw error;
      throw new AppError('unprocessable', `an access request rule named ${body.name} exists already`);
    }
    return accessRuleView(rule);
  }

  /** Two rules of one connection or attribute and access type would leave open which of them decides. */
  private async refuseOverlap(db: EntityManager, rule: AccessRule): Promise<void> {
    // One writer of rules at a time: two that overlap each other would not see one another.
    await db.query('SELECT id FROM organizations WHERE id = $1 FOR NO KEY UPDATE', [rule.orgId]);
    const other = await db
      .createQueryBuilder(AccessRule, 'rule')
      .where('rule.org_id = :orgId AND rule.name <> :name', { orgId: rule.orgId, name: rule.name })
      .andWhere('rule.access_type IN (:...types)', { types: meetingTypes(rule.accessType) })
      .andWhere('(rule.connection_names && :names OR rule.attributes && :attributes)', {
        names: rule.connectionNames,
        attributes: rule.attributes,
      })
      .getOne();
    if (other === null) return;
    const shared = [
      ...other.connectionNames.filter((name) => rule.connectionNames.includes(name)),
      ...other.attributes.filter((name) => rule.attributes.includes(name)),
    ];
    throw new AppError(
      'unprocessable',
      `the rule ${other.name} covers ${shared.join(', ')} for the same access already`,
    );
  }
}

function definition(body: AccessRuleBody) {
  const unique = (names: string[] | undefined): string[] => [...new Set(names)];
  return {
    name: body.name,
    description: body.description ?? '',
    accessType: body.access_type,
    accessMaxDuration: body.access_max_duration ?? null,
    allGroupsMustApprove: body.all_groups_must_approve ?? false,
    approvalRequiredGroups: unique(body.approval_required_groups),
    reviewersGroups: unique(body.reviewers_groups),
    forceApprovalGroups: unique(body.force_approval_groups),
    skipReviewGroups: unique(body.skip_review_groups),
    minApprovals: body.min_approvals ?? null,
    attributes: unique(body.attributes),
    connectionNames: unique(body.connection_names),
  };
}
