import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { GroupsService } from '../auth/groups.service';
import { ConnectionsService } from '../connections/connections.service';
import { AccessRule, type AccessType } from './access-rule.entity';

const otherPath: Readonly<Record<Exclude<AccessType, 'jit_command'>, { words: string; type: AccessType }>> = {
  command: { words: 'connect', type: 'jit' },
  jit: { words: 'exec', type: 'command' },
};

/** What is legal in a rule and may still not be meant. Computed when asked: members and connections come and go. */
@Injectable()
export class RuleWarnings {
  constructor(
    private readonly groups: GroupsService,
    private readonly connections: ConnectionsService,
  ) {}

  async of(db: EntityManager, rule: AccessRule): Promise<string[]> {
    return [
      ...(await this.openPath(db, rule)),
      ...(await this.unknownConnections(db, rule)),
      ...(await this.approvers(db, rule)),
    ];
  }

  /** A rule of one access type must not silently leave the other path open. */
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
    const voices = [...new Set([...rule.reviewersGroups, ...rule.approvalRequiredGroups])];
    const people = new Set(voices.flatMap((group) => members.get(group) ?? [])).size;
    const staffed = voices.filter((group) => (members.get(group)?.length ?? 0) > 0).length;
    const needed = rule.allGroupsMustApprove ? voices.length : (rule.minApprovals ?? 1);
    if (Math.min(people, staffed) >= needed) return unknown;
    return [
      ...unknown,
      `${needed} approvals can not be given today: ${staffed} groups have members, ${people} people in all`,
    ];
  }
}
