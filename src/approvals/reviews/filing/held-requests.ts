import type { EntityManager } from 'typeorm';
import type { Principal } from '../../../kernel/principal';

/** First key of the advisory lock; the second is the hash of requester and connection. */
const ASKING_LOCK = 18_249;

/**
 * Blocks other requests of this requester for the connection, on every gateway, until the transaction ends.
 * Without this lock, there could be two open requests for the same access.
 */
export async function holdRequests(
  db: EntityManager,
  requester: Pick<Principal, 'identityType' | 'userId'>,
  connectionId: string,
): Promise<void> {
  const asking = `${requester.identityType}:${requester.userId}:${connectionId}`;
  await db.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [ASKING_LOCK, asking]);
}
