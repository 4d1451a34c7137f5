import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { FOREIGN_KEY_VIOLATION, brokenConstraint } from '../database/constraint';
import { AppError } from '../kernel/app-error';
import { GuardrailConnection } from './guardrail.entity';

/** The Guardrails module's door to other modules: which rules are bound to which connection by id. */
@Injectable()
export class GuardrailBindings {
  /**
   * Binds rules to a connection, inside the caller's transaction.
   * @throws AppError `unprocessable` for a rule that does not exist in the organization.
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

  /** The same from the rule's side. @throws AppError `unprocessable` for an unknown connection. */
  async bindRule(
    db: EntityManager,
    orgId: string,
    ruleId: string,
    connectionIds: readonly string[],
  ): Promise<void> {
    const rows = connectionIds.map((connectionId) => ({ orgId, ruleId, connectionId }));
    await this.insert(db, rows, 'connection_ids names a connection that does not exist');
  }

  private async insert(
    db: EntityManager,
    rows: { orgId: string; ruleId: string; connectionId: string }[],
    unknown: string,
  ): Promise<void> {
    if (rows.length === 0) return;
    try {
      await db.insert(GuardrailConnection, rows);
    } catch (error) {
      if (brokenConstraint(error, FOREIGN_KEY_VIOLATION) === undefined) throw error;
      throw new AppError('unprocessable', unknown);
    }
  }
}
