import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { attributeBearers, attributeCreated, attributeDeleting } from '../attributes/attribute-events';
import { featuresChanged } from '../../identity/auth/organization/feature-events';
import { DomainEvents } from '../../platform/database/feed/domain-events';
import { namesByAttribute, removeAttribute } from '../../platform/database/attribute-columns';
import { bindingsChanging } from '../../guardrails/rules/binding-events';
import { quotedName } from '../../platform/http/dto/fault-message';
import { AppError } from '../../kernel/app-error';
import { featureWarnings } from './connection-warnings';

const TABLE = 'connections';

/** Handles domain events that affect connections. */
@Injectable()
export class ConnectionHandlers {
  constructor(events: DomainEvents) {
    events.handle(attributeBearers, 'connections', (db, { orgId, attributes }) =>
      namesByAttribute(db, TABLE, orgId, attributes),
    );
    events.handle(attributeCreated, 'connections', (db, { orgId, name, connectionNames }) =>
      putAttributeOn(db, orgId, name, connectionNames),
    );
    events.handle(attributeDeleting, 'connections', (db, { orgId, name }) =>
      removeAttribute(db, TABLE, orgId, name),
    );
    events.handle(featuresChanged, 'connections', (db, { orgId, features }) =>
      featureWarnings(db, orgId, features),
    );
    events.handle(bindingsChanging, 'connections', async (db, { orgId, connectionIds }) => {
      await db.query(
        'SELECT FROM connections WHERE org_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR SHARE',
        [orgId, connectionIds],
      );
    });
  }
}

/** Adds an attribute to connections. Rows are locked in the order of their ids, as everywhere. */
async function putAttributeOn(
  db: EntityManager,
  orgId: string,
  attribute: string,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  const found = await db.query<{ id: string; name: string }[]>(
    'SELECT id, name FROM connections WHERE org_id = $1 AND name = ANY ($2) ORDER BY id FOR NO KEY UPDATE',
    [orgId, names],
  );
  const missing = names.filter((name) => !found.some((connection) => connection.name === name));
  if (missing.length > 0)
    throw new AppError('unprocessable', `there is no connection named ${quotedName(missing[0] ?? '')}`);
  await db.query(
    `UPDATE connections SET attributes = array_append(attributes, $3), version = version + 1, updated_at = now()
     WHERE org_id = $1 AND id = ANY ($2) AND NOT attributes @> ARRAY[$3]`,
    [orgId, found.map(({ id }) => id), attribute],
  );
}
