import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { AttributesService } from '../../connections/attributes/attributes.service';
import { UNIQUE_VIOLATION, brokenConstraint } from '../../platform/database/faults/constraint';
import { newestFirst } from '../../platform/database/newest-first';
import type { Change } from '../../platform/http/routes/change';
import { type PageQuery, pageOf, pageWindow } from '../../platform/http/dto/page';
import type { Versioned } from '../../platform/http/routes/versioned';
import { type ExpectedVersion, requireVersion } from '../../platform/http/routes/versions';
import { AppError } from '../../kernel/app-error';
import { GuardrailBindings } from './guardrail-bindings';
import {
  type CheckedGuardrailView,
  type GuardrailBody,
  type GuardrailPage,
  type GuardrailStatsView,
  type GuardrailView,
  guardrailView,
} from './guardrail.dto';
import { guardrailWarnings } from './guardrail-warnings';
import { GuardrailRule, GuardrailStats } from './guardrail.entity';
import { guardrailDefinition } from './rule-definition';
import { RuleTally } from './rule-tally';

const TYPE = 'guardrails';

@Injectable()
export class GuardrailsService {
  constructor(
    @InjectRepository(GuardrailRule) private readonly rules: Repository<GuardrailRule>,
    private readonly bindings: GuardrailBindings,
    private readonly attributes: AttributesService,
    private readonly tally: RuleTally,
  ) {}

  async list(orgId: string, query: PageQuery): Promise<GuardrailPage> {
    const [rules, total] = await newestFirst(this.rules, orgId, pageWindow(query));
    const bound = await this.bindings.ofRules(
      this.rules.manager,
      orgId,
      rules.map((rule) => rule.id),
    );
    return pageOf(
      query,
      rules.map((rule) => guardrailView(rule, bound.get(rule.id) ?? [])),
      total,
    );
  }

  async get(orgId: string, id: string): Promise<Versioned<CheckedGuardrailView>> {
    const rule = await this.rules.findOneBy({ orgId, id });
    if (rule === null) throw notFound();
    const db = this.rules.manager;
    return this.checked(db, rule, await this.versioned(db, rule));
  }

  /** Returns the counters of a rule: of this gateway up to now, of other gateways up to a second ago. */
  async stats(orgId: string, id: string): Promise<GuardrailStatsView> {
    await this.tally.flush();
    if (!(await this.rules.existsBy({ orgId, id }))) throw notFound();
    const stats = await this.rules.manager.findOneBy(GuardrailStats, { orgId, ruleId: id });
    return { id, checked: stats?.checked ?? 0, hit: stats?.hit ?? 0, last_hit: stats?.lastHit ?? null };
  }

  async create(change: Change, body: GuardrailBody): Promise<Versioned<CheckedGuardrailView>> {
    const { orgId } = change.actor;
    const rule = this.rules.create({
      orgId,
      managedBy: null,
      version: 1,
      ...guardrailDefinition(body),
    });
    return this.write(body, async (db) => {
      await this.bindings.holdConnections(db, orgId, undefined, body.connection_ids ?? []);
      await db.save(rule);
      await this.bind(db, rule, body);
      const created = await this.versioned(db, rule);
      await change.record(db, {
        type: TYPE,
        id: rule.id,
        action: 'create',
        before: null,
        after: created.view,
      });
      return this.checked(db, rule, created);
    });
  }

  /** Replaces all fields of the rule. */
  async replace(
    change: Change,
    id: string,
    expected: ExpectedVersion,
    body: GuardrailBody,
  ): Promise<Versioned<CheckedGuardrailView>> {
    const definition = guardrailDefinition(body);
    return this.write(body, async (db) => {
      const { orgId } = change.actor;
      await this.bindings.holdConnections(db, orgId, id, body.connection_ids ?? []);
      const rule = await this.lock(db, orgId, id);
      requireVersion(rule.version, expected);
      const before = (await this.versioned(db, rule)).view;
      await db.save(Object.assign(rule, definition, { version: rule.version + 1 }));
      await this.bindings.unbindRule(db, rule.orgId, id);
      await this.bind(db, rule, body);
      const after = await this.versioned(db, rule);
      await change.record(db, { type: TYPE, id, action: 'update', before, after: after.view });
      return this.checked(db, rule, after);
    });
  }

  async remove(change: Change, id: string, expected: ExpectedVersion): Promise<void> {
    await this.rules.manager.transaction(async (db) => {
      await this.bindings.holdConnections(db, change.actor.orgId, id, []);
      const rule = await this.lock(db, change.actor.orgId, id);
      requireVersion(rule.version, expected);
      const before = (await this.versioned(db, rule)).view;
      await db.delete(GuardrailRule, { orgId: rule.orgId, id });
      await change.record(db, { type: TYPE, id, action: 'delete', before, after: null });
    });
    this.bindings.changed();
  }

  private async lock(db: EntityManager, orgId: string, id: string): Promise<GuardrailRule> {
    const rule = await db.findOne(GuardrailRule, {
      where: { orgId, id },
      lock: { mode: 'for_no_key_update' },
    });
    if (rule === null) throw notFound();
    if (rule.managedBy !== null) {
      throw new AppError('malformed', `this guardrail is managed by ${rule.managedBy} and read-only here`);
    }
    return rule;
  }

  private async bind(db: EntityManager, rule: GuardrailRule, body: GuardrailBody): Promise<void> {
    await this.attributes.ensure(db, rule.orgId, rule.attributes);
    await this.bindings.bindRule(db, rule.orgId, rule.id, [...new Set(body.connection_ids)]);
  }

  private async write<T>(body: GuardrailBody, work: (db: EntityManager) => Promise<T>): Promise<T> {
    try {
      const written = await this.rules.manager.transaction(work);
      this.bindings.changed();
      return written;
    } catch (error) {
      if (brokenConstraint(error, UNIQUE_VIOLATION) !== 'guardrail_rules_name_unique') throw error;
      throw new AppError('conflict', `a guardrail named ${body.name} already exists`);
    }
  }

  private async versioned(db: EntityManager, rule: GuardrailRule): Promise<Versioned<GuardrailView>> {
    const bound = await this.bindings.ofRules(db, rule.orgId, [rule.id]);
    return { version: rule.version, view: guardrailView(rule, bound.get(rule.id) ?? []) };
  }

  private async checked(
    db: EntityManager,
    rule: GuardrailRule,
    { version, view }: Versioned<GuardrailView>,
  ): Promise<Versioned<CheckedGuardrailView>> {
    return { version, view: { ...view, warnings: await guardrailWarnings(db, rule, view.connection_ids) } };
  }
}

function notFound(): AppError {
  return new AppError('not_found', 'there is no guardrail with this id');
}
