import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  type NamedAttribute,
  attributeBearers,
  attributeDeleted,
  attributeDeleting,
} from '../../connections/attributes/attribute-events';
import { featuresChanged } from '../../identity/auth/organization/feature-events';
import { DomainEvents } from '../../platform/database/feed/domain-events';
import { namesByAttribute, removeAttribute } from '../../platform/database/attribute-columns';
import { AppError } from '../../kernel/app-error';
import { AccessRule } from './access-rule.entity';

const TABLE = 'access_request_rules';

/** Handles domain events that affect access request rules. */
@Injectable()
export class AccessRuleHandlers {
  constructor(events: DomainEvents) {
    events.handle(attributeBearers, 'access-rules', (db, { orgId, attributes }) =>
      namesByAttribute(db, TABLE, orgId, attributes),
    );
    events.handle(attributeDeleting, 'access-rules', refuseWhileSoleTarget);
    events.handle(attributeDeleted, 'access-rules', (db, { orgId, name }) =>
      removeAttribute(db, TABLE, orgId, name),
    );
    events.handle(featuresChanged, 'access-rules', async (db, { orgId, features }) => {
      const count = features.review ? 0 : await db.countBy(AccessRule, { orgId });
      return count === 0
        ? []
        : [`${count} access request rules are without effect: the review feature is off`];
    });
  }
}

/**
 * Refuses to delete an attribute if an access request rule names only this attribute and no connection,
 * because the rule would then cover no connection.
 */
async function refuseWhileSoleTarget(db: EntityManager, { orgId, name }: NamedAttribute): Promise<void> {
  const [rule] = await db.query<{ name: string }[]>(
    `SELECT name FROM access_request_rules
     WHERE org_id = $1 AND attributes = ARRAY[$2] AND cardinality(connection_names) = 0 LIMIT 1`,
    [orgId, name],
  );
  if (rule === undefined) return;
  throw new AppError(
    'conflict',
    `the access request rule ${rule.name} covers only this attribute; change or delete the rule first`,
  );
}
