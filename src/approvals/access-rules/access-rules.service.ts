import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { AttributesService } from '../../connections/attributes/attributes.service';
import { OrganizationsService } from '../../identity/auth/organization/organizations.service';
import { UNIQUE_VIOLATION, brokenConstraint } from '../../platform/database/faults/constraint';
import { newestFirst } from '../../platform/database/newest-first';
import type { Change } from '../../platform/http/routes/change';
import { type PageQuery, pageOf, pageWindow } from '../../platform/http/dto/page';
import type { Versioned } from '../../platform/http/routes/versioned';
import { type ExpectedVersion, requireVersion } from '../../platform/http/routes/versions';
import { AppError } from '../../kernel/app-error';
import {
  type AccessRuleBody,
  type AccessRulePage,
  type AccessRuleView,
  type CheckedAccessRuleView,
  accessRuleView,
} from './access-rule.dto';
import { AccessRule } from './access-rule.entity';
import { coversVisibly } from './covering';
import { accessRuleDefinition } from './rule-definition';
import { meetingTypes } from './rule-faults';
import { RuleWarnings } from './rule-warnings';

const TYPE = 'access-requests/rules';

@Injectable()
export class AccessRulesService {
  constructor(
    @InjectRepository(AccessRule) private readonly rules: Repository<AccessRule>,
    private readonly attributes: AttributesService,
    private readonly organizations: OrganizationsService,
    private readonly warnings: RuleWarnings,
  ) {}

  async list(orgId: string, query: PageQuery): Promise<AccessRulePage> {
    const [rules, total] = await newestFirst(this.rules, orgId, pageWindow(query));
    return pageOf(query, rules.map(accessRuleView), total);
  }

  async get(orgId: string, name: string): Promise<Versioned<CheckedAccessRuleView>> {
    const rule = await this.rules.findOneBy({ orgId, name });
    if (rule === null) throw notFound();
    return this.checked(this.rules.manager, rule);
  }

  /** Returns the rules that cover a connection by its name or by a shared attribute. For other modules. */
  async covering(
    orgId: string,
    connectionName: string,
    attributes: readonly string[],
  ): Promise<AccessRuleView[]> {
    const rules = await this.rules
      .createQueryBuilder('rule')
      .where('rule.org_id = :orgId', { orgId })
      .andWhere(...coversVisibly(connectionName, attributes))
      .orderBy('rule.name')
      .getMany();
    return rules.map(accessRuleView);
  }

  async create(change: Change, body: AccessRuleBody): Promise<Versioned<CheckedAccessRuleView>> {
    const { orgId } = change.actor;
    const rule = this.rules.create({ orgId, managedBy: null, version: 1, ...accessRuleDefinition(body) });
    return this.write(rule, async (db) => {
      await db.save(rule);
      const created = await this.checked(db, rule);
      await change.record(db, {
        type: TYPE,
        id: rule.name,
        action: 'create',
        before: null,
        after: accessRuleView(rule),
      });
      return created;
    });
  }

  /** Replaces the whole rule; its name may change. */
  async replace(
    change: Change,
    name: string,
    expected: ExpectedVersion,
    body: AccessRuleBody,
  ): Promise<Versioned<CheckedAccessRuleView>> {
    const definition = accessRuleDefinition(body);
    const draft = this.rules.create({ orgId: change.actor.orgId, ...definition });
    return this.write(
      draft,
      async (db) => {
        const rule = await this.lock(db, change.actor.orgId, name);
        requireVersion(rule.version, expected);
        const before = accessRuleView(rule);
        await db.save(Object.assign(rule, definition, { version: rule.version + 1 }));
        const after = await this.checked(db, rule);
        await change.record(db, {
          type: TYPE,
          id: name,
          action: 'update',
          before,
          after: accessRuleView(rule),
        });
        return after;
      },
      name,
    );
  }

  async remove(change: Change, name: string, expected: ExpectedVersion): Promise<void> {
    await this.rules.manager.transaction(async (db) => {
      const rule = await this.lock(db, change.actor.orgId, name);
      requireVersion(rule.version, expected);
      await db.delete(AccessRule, { orgId: rule.orgId, id: rule.id });
      await change.record(db, {
        type: TYPE,
        id: name,
        action: 'delete',
        before: accessRuleView(rule),
        after: null,
      });
    });
  }

  private async lock(db: EntityManager, orgId: string, name: string): Promise<AccessRule> {
    const rule = await db.findOne(AccessRule, {
      where: { orgId, name },
      lock: { mode: 'for_no_key_update' },
    });
    if (rule === null) throw notFound();
    if (rule.managedBy !== null) {
      throw new AppError('malformed', `this rule is managed by ${rule.managedBy} and read-only here`);
    }
    return rule;
  }

  private async checked(db: EntityManager, rule: AccessRule): Promise<Versioned<CheckedAccessRuleView>> {
    const warnings = await this.warnings.of(db, rule);
    return { version: rule.version, view: { ...accessRuleView(rule), warnings } };
  }

  /** @param current the name of the rule before the write. */
  private async write<T>(
    rule: AccessRule,
    work: (db: EntityManager) => Promise<T>,
    current = rule.name,
  ): Promise<T> {
    try {
      return await this.rules.manager.transaction(async (db) => {
        await this.warnings.requireMeetable(db, rule);
        // Writes of rules are serialized, because two transactions would not see each other's rule.
        await this.organizations.lock(db, rule.orgId);
        await refuseOverlap(db, rule, current);
        await this.attributes.ensure(db, rule.orgId, rule.attributes);
        return work(db);
      });
    } catch (error) {
      if (brokenConstraint(error, UNIQUE_VIOLATION) !== 'access_request_rules_name_unique') throw error;
      throw new AppError('unprocessable', `an access request rule named ${rule.name} already exists`);
    }
  }
}

/**
 * Refuses a second rule of the same access type for a connection or attribute, because it would be unclear
 * which of the two rules decides.
 */
async function refuseOverlap(db: EntityManager, rule: AccessRule, current: string): Promise<void> {
  const other = await db
    .createQueryBuilder(AccessRule, 'rule')
    .where('rule.org_id = :orgId AND rule.name NOT IN (:...own)', {
      orgId: rule.orgId,
      own: [rule.name, current],
    })
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
    `the rule ${other.name} already covers ${shared.join(', ')} for the same access`,
  );
}

function notFound(): AppError {
  return new AppError('not_found', 'there is no access request rule with this name');
}
