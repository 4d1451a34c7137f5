import { Injectable } from '@nestjs/common';
import { type EntityManager, In } from 'typeorm';
import { FOREIGN_KEY_VIOLATION, brokenConstraint } from '../../platform/database/faults/constraint';
import { DomainEvents } from '../../platform/database/feed/domain-events';
import { AppError } from '../../kernel/app-error';
import { bindingsChanging } from './binding-events';
import { GuardrailConnection } from './guardrail.entity';
import { RememberedSets } from './remembered-sets';

/** Exported service: manages which rules are bound to which connections by id. */
@Injectable()
export class GuardrailBindings {
  constructor(
    private readonly remembered: RememberedSets,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Clears the cache of this gateway, so that the next command uses the new rules. Call it after a change of
   * rules, bindings or connection attributes was committed. Other gateways learn of the change from the
   * database within a second.
   */
  changed(): void {
    this.remembered.forget();
  }

  /**
   * Locks the connections that a rule will be bound to or unbound from, because a change of a binding needs
   * the lock of its connection. Must be called before the rule itself is locked
   * (src/platform/database/README.md).
   * @param ruleId absent when the rule has no bindings yet
   */
  async holdConnections(
    db: EntityManager,
    orgId: string,
    ruleId: string | undefined,
    connectionIds: readonly string[],
  ): Promise<void> {
    const bound = ruleId === undefined ? [] : ((await this.ofRules(db, orgId, [ruleId])).get(ruleId) ?? []);
    await this.events.publish(db, bindingsChanging, { orgId, connectionIds: [...bound, ...connectionIds] });
  }

  /** Locks rules that a connection is about to be bound to, so that none is deleted meanwhile. */
  async holdRules(db: EntityManager, orgId: string, ruleIds: readonly string[]): Promise<void> {
    if (ruleIds.length === 0) return;
    await db.query(
      'SELECT FROM guardrail_rules WHERE org_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR KEY SHARE',
      [orgId, ruleIds],
    );
  }

  /**
   * Binds rules to a connection. The caller's transaction must hold the locks of the connection and of the
   * rules (`holdRules`).
   * @throws AppError `unprocessable` for a rule that does not exist in the organization
   */
  async bind(
    db: EntityManager,
    orgId: string,
    connectionId: string,
    ruleIds: readonly string[],
  ): Promise<void> {
    const rows = ruleIds.map((ruleId) => ({ orgId, ruleId, connectionId }));
    await this.insert(db, rows, 'guardrail_rules names a rule that does not exist');
  }

  /**
   * Binds a rule to connections. The caller's transaction must hold their locks (`holdConnections`).
   * @throws AppError `unprocessable` for an unknown connection
   */
  async bindRule(
    db: EntityManager,
    orgId: string,
    ruleId: string,
    connectionIds: readonly string[],
  ): Promise<void> {
    const rows = connectionIds.map((connectionId) => ({ orgId, ruleId, connectionId }));
    await this.insert(db, rows, 'connection_ids names a connection that does not exist');
  }

  async unbindRule(db: EntityManager, orgId: string, ruleId: string): Promise<void> {
    await db.delete(GuardrailConnection, { orgId, ruleId });
  }

  async unbindConnection(db: EntityManager, orgId: string, connectionId: string): Promise<void> {
    await db.delete(GuardrailConnection, { orgId, connectionId });
  }

  /** Returns connection ids by rule id. */
  async ofRules(
    db: EntityManager,
    orgId: string,
    ruleIds: readonly string[],
  ): Promise<Map<string, string[]>> {
    const rows =
      ruleIds.length === 0 ? [] : await db.findBy(GuardrailConnection, { orgId, ruleId: In([...ruleIds]) });
    return grouped(rows.map((row) => [row.ruleId, row.connectionId]));
  }

  /** Returns rule ids by connection id. */
  async ofConnections(
    db: EntityManager,
    orgId: string,
    ids: readonly string[],
  ): Promise<Map<string, string[]>> {
    const rows =
      ids.length === 0 ? [] : await db.findBy(GuardrailConnection, { orgId, connectionId: In([...ids]) });
    return grouped(rows.map((row) => [row.connectionId, row.ruleId]));
  }

  private async insert(
    db: EntityManager,
    rows: { orgId: string; ruleId: string; connectionId: string }[],
    unknown: string,
  ): Promise<void> {
    if (rows.length === 0) return;
    try {
      // A concurrent request that changes the other side may insert the same pair of rule and connection.
      await db.createQueryBuilder().insert().into(GuardrailConnection).values(rows).orIgnore().execute();
    } catch (error) {
      if (brokenConstraint(error, FOREIGN_KEY_VIOLATION) === undefined) throw error;
      throw new AppError('unprocessable', unknown);
    }
  }
}

function grouped(pairs: [key: string, value: string][]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [key, value] of pairs) groups.set(key, [...(groups.get(key) ?? []), value]);
  for (const values of groups.values()) values.sort();
  return groups;
}
