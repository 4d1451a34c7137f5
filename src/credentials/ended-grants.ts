import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull, Raw } from 'typeorm';
import type { EventPerson } from '../events/event';
import { Outbox } from '../events/outbox';
import { type ReviewedGrant, ReviewedGrants } from '../reviews/reviewed-work';
import { ConnectSessions } from '../sessions/connect-sessions';
import { revocationOf } from './access-revoked';
import { ConnectionCredential } from './credential.entity';

/** Ends the credential of a review that was rejected or revoked, or whose time is over, and every session that came with it. */
@Injectable()
export class EndedGrants extends ReviewedGrants {
  constructor(
    private readonly sessions: ConnectSessions,
    private readonly outbox: Outbox,
  ) {
    super();
  }

  async end(db: EntityManager, grant: ReviewedGrant, reason: string, by?: EventPerson): Promise<void> {
    const { orgId, id } = grant;
    const key = { orgId, id };
    // Locked before its sessions are looked for: none begins with it from here on.
    const lock = { mode: 'for_no_key_update' } as const;
    const credential = await db.findOne(ConnectionCredential, { where: key, lock });
    // Gone with its connection: its sessions are being ended for that.
    if (credential === null || credential.revokedAt !== null) return;
    await db.update(ConnectionCredential, key, { revokedAt: () => 'greatest(now(), created_at)' });
    await this.sessions.endOfCredential(db, orgId, id, reason);
    if (grant.approvedAt !== null) await this.tell(db, grant, credential, by);
  }

  /** For their deletion. A session that begins with one of them waits for this lock, and then finds it deleted. */
  async lockAll(db: EntityManager, orgId: string, connectionId: string): Promise<void> {
    await db.query(
      'SELECT FROM connection_credentials WHERE org_id = $1 AND connection_id = $2 ORDER BY id FOR UPDATE',
      [orgId, connectionId],
    );
    await this.sessions.lockOnConnection(db, orgId, connectionId);
  }

  async endUnreviewed(
    db: EntityManager,
    orgId: string,
    connectionId: string,
    by: EventPerson,
  ): Promise<void> {
    const live = await db.find(ConnectionCredential, {
      where: {
        orgId,
        connectionId,
        reviewId: IsNull(),
        revokedAt: IsNull(),
        expireAt: Raw((column) => `${column} > now()`),
      },
      order: { id: 'ASC' },
      lock: { mode: 'for_no_key_update' },
    });
    for (const credential of live) {
      const { id } = credential;
      await db.update(
        ConnectionCredential,
        { orgId, id },
        { revokedAt: () => 'greatest(now(), created_at)' },
      );
      const data = await revocationOf(db, credential, 'revoked', by);
      await this.outbox.add(db, { orgId, type: 'access.revoked', data });
    }
  }

  private async tell(
    db: EntityManager,
    grant: ReviewedGrant,
    { connectionId }: ConnectionCredential,
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
}
