import type { EntityManager } from 'typeorm';
import type { AccessRevokedData, EventConnection, EventPerson } from '../events/event';
import type { ConnectionCredential } from './credential.entity';

type Revoked = Pick<
  ConnectionCredential,
  'id' | 'orgId' | 'connectionId' | 'identityType' | 'userId' | 'reviewId'
>;

/** What is told of a credential that somebody revoked, or that its owner may not use any more. */
export async function revocationOf(
  db: EntityManager,
  credential: Revoked,
  reason: AccessRevokedData['reason'],
  by?: EventPerson,
): Promise<AccessRevokedData> {
  return {
    credential_id: credential.id,
    review_id: credential.reviewId,
    connection: await connectionOf(db, credential),
    user: await ownerOf(db, credential),
    reason,
    revoked_by: by ?? null,
  };
}

/** The caller knows that it exists: credentials go with their connection. */
async function connectionOf(db: EntityManager, { orgId, connectionId }: Revoked): Promise<EventConnection> {
  const [connection] = await db.query<EventConnection[]>(
    'SELECT id, name, subtype FROM connections WHERE org_id = $1 AND id = $2',
    [orgId, connectionId],
  );
  return connection ?? { id: connectionId, name: '', subtype: '' };
}

/** As they are called now, also where they may no longer act; a user who was deleted has no name any more. */
async function ownerOf(db: EntityManager, { orgId, identityType, userId }: Revoked): Promise<EventPerson> {
  const [owner] = await db.query<{ id: string; email: string; name: string }[]>(
    identityType === 'user'
      ? 'SELECT subject AS id, email, name FROM users WHERE org_id = $1 AND id = $2'
      : `SELECT 'api-key:' || id AS id, '' AS email, name FROM api_keys WHERE org_id = $1 AND id = $2`,
    [orgId, userId],
  );
  return { ...(owner ?? { id: userId, email: '', name: '' }), identity_type: identityType };
}
