import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AttributesService } from '../attributes/attributes.service';
import { GuardrailBindings } from '../../guardrails/rules/guardrail-bindings';
import type { Connection } from './connection.entity';

type Bound = Pick<Connection, 'orgId' | 'id' | 'attributes'>;

/** Binds guardrails and attributes to a connection, in the caller's transaction. */
@Injectable()
export class ConnectionBindings {
  constructor(
    private readonly guardrails: GuardrailBindings,
    private readonly attributes: AttributesService,
  ) {}

  /** Locks guardrail rules against deletion until the transaction ends. Must be called before `bind`. */
  async holdRules(db: EntityManager, orgId: string, ruleIds: readonly string[]): Promise<void> {
    await this.guardrails.holdRules(db, orgId, ruleIds);
  }

  /** @throws AppError `unprocessable` for a rule that does not exist. */
  async bind(db: EntityManager, { orgId, id, attributes }: Bound, ruleIds: readonly string[]): Promise<void> {
    await this.attributes.ensure(db, orgId, attributes);
    await this.guardrails.bind(db, orgId, id, [...new Set(ruleIds)]);
  }

  async unbind(db: EntityManager, { orgId, id }: Bound): Promise<void> {
    await this.guardrails.unbindConnection(db, orgId, id);
  }

  /** Must be called after the transaction is committed, so that the next command uses the new bindings. */
  changed(): void {
    this.guardrails.changed();
  }
}
