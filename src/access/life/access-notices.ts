import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Principals } from '../../identity/auth/users/principals';
import { ConnectionsService } from '../../connections/registry/connections.service';
import type { ConnectionCredential } from '../credentials/credential.entity';
import type { AccessRevokedData, EventConnection, EventPerson } from '../../platform/events/event';
import { Outbox } from '../../platform/events/outbox';
import type { ReviewedGrant } from '../../approvals/reviews/steps/review-consequences';

type Revoked = Pick<
  ConnectionCredential,
  'id' | 'orgId' | 'connectionId' | 'identityType' | 'userId' | 'reviewId'
>;

/** Adds the event `access.revoked` to the outbox, in the transaction that ends the access. */
@Injectable()
export class AccessNotices {
  constructor(
    private readonly outbox: Outbox,
    private readonly connections: ConnectionsService,
    private readonly principals: Principals,
  ) {}

  /**
   * Adds the event of a credential that was revoked, or that its owner may not use any more.
   * @param by the person who revoked it; absent if the owner lost access instead
   */
  async credentialRevoked(
    db: EntityManager,
    credential: Revoked,
    reason: AccessRevokedData['reason'],
    by?: EventPerson,
  ): Promise<void> {
    await this.outbox.add(db, {
      orgId: credential.orgId,
      type: 'access.revoked',
      data: {
        credential_id: credential.id,
        review_id: credential.reviewId,
        connection: await this.connectionOf(db, credential),
        user: await this.ownerOf(db, credential),
        reason,
        revoked_by: by ?? null,
      },
    });
  }

  /** Adds the event for a grant that ended. The names in it are from the request for the grant. */
  async grantEnded(
    db: EntityManager,
    grant: ReviewedGrant,
    { connectionId }: Pick<ConnectionCredential, 'connectionId'>,
    by: EventPerson | undefined,
  ): Promise<void> {
    await this.outbox.add(db, {
      orgId: grant.orgId,
      type: 'access.revoked',
      data: {
        credential_id: grant.id,
        review_id: grant.id,
        connection: { id: connectionId, name: grant.connectionName, subtype: grant.connectionSubtype },
        user: {
          id: grant.requesterSubject,
          email: grant.requesterEmail,
          name: grant.requesterName,
          identity_type: grant.requesterType,
        },
        reason: grant.status === 'EXPIRED' ? 'expired' : 'revoked',
        revoked_by: by ?? null,
      },
    });
  }

  /** Finds the connection. It exists, because a credential is deleted together with its connection. */
  private async connectionOf(db: EntityManager, { orgId, connectionId }: Revoked): Promise<EventConnection> {
    const found = (await this.connections.named(orgId, [connectionId], db)).get(connectionId);
    return { id: connectionId, name: found?.name ?? '', subtype: found?.subtype ?? '' };
  }

  /** The owner's current name, also if the owner may no longer act. The name of a deleted user is empty. */
  private async ownerOf(db: EntityManager, owner: Revoked): Promise<EventPerson> {
    const { identityType, userId } = owner;
    const called = await this.principals.called(db, owner);
    return { ...(called ?? { id: userId, email: '', name: '' }), identity_type: identityType };
  }
}
