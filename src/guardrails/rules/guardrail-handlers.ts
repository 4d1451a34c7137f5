import { Injectable } from '@nestjs/common';
import { attributeBearers, attributeDeleting } from '../../connections/attributes/attribute-events';
import { DomainEvents } from '../../platform/database/feed/domain-events';
import { namesByAttribute, removeAttribute } from '../../platform/database/attribute-columns';

const TABLE = 'guardrail_rules';

/** Handlers for events of other modules that concern guardrails. */
@Injectable()
export class GuardrailHandlers {
  constructor(events: DomainEvents) {
    events.handle(attributeBearers, 'guardrails', (db, { orgId, attributes }) =>
      namesByAttribute(db, TABLE, orgId, attributes),
    );
    events.handle(attributeDeleting, 'guardrails', (db, { orgId, name }) =>
      removeAttribute(db, TABLE, orgId, name),
    );
  }
}
