import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { GroupsService } from '../../identity/auth/users/groups.service';
import { OrganizationsService } from '../../identity/auth/organization/organizations.service';
import { ConnectionsService } from '../../connections/registry/connections.service';
import { votersOf } from '../../gate/ports/access-decider';
import { AppError } from '../../kernel/app-error';
import { AccessRule, type AccessType } from './access-rule.entity';
import { approvalRule } from './asking-rules';
import { unmeetable } from './rule-faults';

const otherPath: Readonly<Record<Exclude<AccessType, 'jit_command'>, { words: string; type: AccessType }>> = {
  command: { words: 'connect', type: 'jit' },
  jit: { words: 'exec', type: 'command' },
};

/**
 * Warnings about legal but possibly unintended rules. Computed on request,
 * because members and connections change.
 */
@Injectable()
export class RuleWarnings {
  constructor(
    private readonly groups: GroupsService,
    private readonly connections: ConnectionsService,
    private readonly organizations: OrganizationsService,
  ) {}

  async of(db: EntityManager, rule: AccessRule): Promise<string[]> {
    return [
      ...(await this.reviewsOff(db, rule)),
      ...(await this.openPath(db, rule)),
      ...(await this.unknownConnections(db, rule)),
      ...(await this.approvers(db, rule)),
    ];
  }

  private async reviewsOff(db: EntityManager, { orgId }: AccessRule): Promise<string[]> {
    const { review } = await this.organizations.features(orgId, db);
    return review
      ? []
      : [
          'the rule has no effect: the review feature is off, so no approval is requested; PATCH /organization turns it on',
        ];
  }

  /** Warns if a rule requires approval for one way of access (client or script) and the other stays open. */
  private async openPath(db: EntityManager, rule: AccessRule): Promise<string[]> {
    if (rule.accessType === 'jit_command') return [];
    const { words, type } = otherPath[rule.accessType];
    const others = await db
      .createQueryBuilder(AccessRule, 'rule')
      .where('rule.org_id = :orgId AND rule.access_type = :type', { orgId: rule.orgId, type })
      .andWhere('(rule.connection_names && :names OR rule.attributes && :attributes)', {
        names: rule.connectionNames,
        attributes: rule.attributes,
      })
      .getMany();
    const covered = new Set(others.flatMap((other) => [...other.connectionNames, ...other.attributes]));
    return [...rule.connectionNames, ...rule.attributes]
      .filter((name) => !covered.has(name))
      .map((name) => `${words} stays open on ${name}: no rule of type ${type} covers it`);
  }

  private async unknownConnections(db: EntityManager, rule: AccessRule): Promise<string[]> {
    const known = new Set(await this.connections.existing(db, rule.orgId, rule.connectionNames));
    return rule.connectionNames
      .filter((name) => !known.has(name))
      .map((name) => `there is no connection named ${name}`);
  }

  private async approvers(db: EntityManager, rule: AccessRule): Promise<string[]> {
    const named = [
      ...new Set([...rule.reviewersGroups, ...rule.approvalRequiredGroups, ...rule.forceApprovalGroups]),
    ];
    const members = await this.groups.activeMembers(db, rule.orgId, named);
    const unknown = named
      .filter((group) => !members.has(group))
      .map((group) => `there is no group named ${group}`);
    const groups = votersOf(approvalRule(rule));
    const people = new Set(groups.flatMap((group) => members.get(group) ?? [])).size;
    const isStaffed = (group: string): boolean => (members.get(group)?.length ?? 0) > 0;
    const { needed, approvals, heard } = wantedBy(rule, isStaffed);
    if (people >= needed && heard) return unknown;
    const staffed = groups.filter(isStaffed).length;
    return [
      ...unknown,
      `${approvals} approvals cannot be given today: ${staffed} groups have members, ${people} people in total`,
    ];
  }

  /** @throws AppError `unprocessable` when the number of approvals can never be reached */
  async requireMeetable(db: EntityManager, rule: AccessRule): Promise<void> {
    const groups = votersOf(approvalRule(rule));
    const members = await this.groups.activeMembers(db, rule.orgId, groups);
    const people = new Set([...members.values()].flat()).size;
    const fault = unmeetable({ minApprovals: rule.minApprovals, groups: groups.length, people });
    if (fault !== undefined) throw new AppError('unprocessable', fault);
  }
}

/** Returns how many people and approvals the rule needs, and whether its required groups have members. */
function wantedBy(
  rule: AccessRule,
  isStaffed: (group: string) => boolean,
): { needed: number; approvals: number; heard: boolean } {
  const { allGroupsMustApprove, approvalRequiredGroups, reviewersGroups, minApprovals } = rule;
  // Without `minApprovals`, one person who is a member of all groups may approve for all of them.
  const needed = Math.max(minApprovals ?? 1, 1);
  if (allGroupsMustApprove) {
    const required = approvalRequiredGroups.length > 0 ? approvalRequiredGroups : reviewersGroups;
    const approvals = Math.max(minApprovals ?? required.length, 1);
    return { needed, approvals, heard: required.every(isStaffed) };
  }
  const heard = approvalRequiredGroups.length === 0 || approvalRequiredGroups.some(isStaffed);
  return { needed, approvals: needed, heard };
}
