import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ConnectionsService } from '../../connections/registry/connections.service';
import { TYPE } from '../credentials/credential.dto';
import type { ConnectionCredential } from '../credentials/credential.entity';
import { CredentialStore } from '../credentials/credential-store';
import { personOf } from '../../platform/events/event';
import type { Change } from '../../platform/http/routes/change';
import { AppError } from '../../kernel/app-error';
import { GrantReviews } from '../../approvals/reviews/filing/grant-reviews';
import { ConnectSessions } from '../../sessions/list/connect-sessions';
import { credentialNotFound } from '../life/access-errors';
import { AccessNotices } from '../life/access-notices';

/** Revokes one credential, for its owner and admins. */
@Injectable()
export class CredentialRevocation {
  constructor(
    private readonly credentials: CredentialStore,
    private readonly connections: ConnectionsService,
    private readonly reviews: GrantReviews,
    private readonly sessions: ConnectSessions,
    private readonly notices: AccessNotices,
  ) {}

  /**
   * Revokes the credential and ends its sessions. If it has a review, the request or approval is revoked. The
   * credential stays in the list. Revoking it twice changes nothing.
   * @throws AppError `not_found`, also to callers who neither own the credential nor are admins.
   */
  async revoke(change: Change, nameOrId: string, id: string): Promise<void> {
    const { actor } = change;
    change.concerns({ type: TYPE, id }, 'update');
    const connection = await this.connections.findByNameOrId(actor.orgId, nameOrId);
    if (connection === null) throw credentialNotFound();
    const key = { orgId: actor.orgId, connectionId: connection.id, id };
    const owner = actor.role === 'admin' ? {} : { identityType: actor.identityType, userId: actor.userId };
    const found = await this.credentials.findOne({ ...key, ...owner });
    if (found === null) throw credentialNotFound();
    if (found.reviewId === null)
      await this.credentials.transaction((db) => this.revokeUnreviewed(db, change, found));
    else await this.reviews.revoke(change, found.reviewId).catch(ignoreConflict);
  }

  private async revokeUnreviewed(
    db: EntityManager,
    change: Change,
    key: Pick<ConnectionCredential, 'orgId' | 'id'>,
  ): Promise<void> {
    const { actor } = change;
    // Lock the credential before the search for its sessions, so that no session begins with it afterwards.
    const before = await this.credentials.lock(db, key);
    if (before === null) throw credentialNotFound();
    if (before.revokedAt === null) await this.credentials.revoke(db, key);
    const after = await this.credentials.read(db, key);
    const by = actor.email || actor.subject;
    await this.sessions.endOfCredential(db, key.orgId, key.id, `The access was revoked by ${by}.`);
    // Store the event after the sessions were locked. Storing it locks the previous webhook delivery about
    // this credential, and sessions must be locked before deliveries (src/platform/database/README.md).
    if (before.revokedAt === null)
      await this.notices.credentialRevoked(db, before, 'revoked', personOf(actor));
    await change.record(db, {
      type: TYPE,
      id: key.id,
      action: 'update',
      before: { revoked_at: before.revokedAt },
      after: { revoked_at: after?.revokedAt ?? null },
    });
  }
}

/** Ignores the error `conflict`, which means that the review has already ended. */
function ignoreConflict(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
}
