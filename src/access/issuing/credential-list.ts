import { Injectable } from '@nestjs/common';
import { ConnectionsService } from '../../connections/registry/connections.service';
import { type CredentialPage, credentialHead, statusOf } from '../credentials/credential.dto';
import { CredentialStore } from '../credentials/credential-store';
import { type PageQuery, pageOf } from '../../platform/http/dto/page';
import { Clock } from '../../kernel/async/clock';
import type { Principal } from '../../kernel/principal';
import { GrantReviews } from '../../approvals/reviews/filing/grant-reviews';
import { ConnectSessions } from '../../sessions/list/connect-sessions';

/** Credentials as their owners see them, without passwords. */
@Injectable()
export class CredentialList {
  constructor(
    private readonly credentials: CredentialStore,
    private readonly connections: ConnectionsService,
    private readonly sessions: ConnectSessions,
    private readonly reviews: GrantReviews,
    private readonly clock: Clock,
  ) {}

  /** Returns a page of the actor's own credentials, newest first. */
  async page(actor: Principal, query: PageQuery): Promise<CredentialPage> {
    const { orgId } = actor;
    const [rows, total] = await this.credentials.pageOf(actor, query);
    const [named, begun, standings] = await Promise.all([
      this.connections.named(
        orgId,
        rows.map((row) => row.connectionId),
      ),
      this.sessions.lastBegun(
        orgId,
        rows.map((row) => row.id),
      ),
      this.reviews.standing(
        orgId,
        rows.flatMap((row) => row.reviewId ?? []),
      ),
    ]);
    const views = rows.flatMap((row) => {
      const connection = named.get(row.connectionId);
      // The connection was deleted after the page was read, and the credential with it.
      if (connection === undefined) return [];
      const status = statusOf(row, standings.get(row.reviewId ?? ''), this.clock.now());
      return {
        ...credentialHead(row, connection),
        status,
        revoked_at: status === 'revoked' ? row.revokedAt : null,
        last_used_at: begun.get(row.id) ?? null,
      };
    });
    return pageOf(query, views, total);
  }
}
