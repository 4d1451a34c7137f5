import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, Repository } from 'typeorm';
import { Principals } from '../../../identity/auth/users/principals';
import type { Change } from '../../../platform/http/routes/change';
import { pageOf, pageWindow } from '../../../platform/http/dto/page';
import type { PageOfUserQuery } from '../../../platform/http/dto/page-of-user';
import { AppError } from '../../../kernel/app-error';
import { Clock } from '../../../kernel/async/clock';
import type { Principal } from '../../../kernel/principal';
import type { McpAuthorizationPage, McpAuthorizationView } from './authorizations.dto';
import { Authorization } from './authorization.entity';
import { placeOfUri } from '../protocol/redirect-uri';

/** Resource type in the audit log. The consent pages log the same type. */
const TYPE = 'authorizations';

/** Lists and ends users' authorizations of MCP clients, for the REST API. */
@Injectable()
export class AuthorizationList {
  constructor(
    @InjectRepository(Authorization) private readonly stored: Repository<Authorization>,
    private readonly principals: Principals,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError `forbidden`, `not_found` */
  async page(actor: Principal, query: PageOfUserQuery): Promise<McpAuthorizationPage> {
    const user = await this.principals.askedAbout(actor, query.user);
    const { offset, size } = pageWindow(query);
    const [rows, total] =
      user.identityType === 'user'
        ? await this.stored.findAndCount({
            where: {
              orgId: user.orgId,
              userId: user.userId,
              expiresAt: MoreThan(new Date(this.clock.now())),
            },
            order: { createdAt: 'DESC', id: 'DESC' },
            skip: offset,
            take: size,
          })
        : [[], 0];
    return pageOf(
      query,
      rows.map((row) => viewOf(row, user.subject)),
      total,
    );
  }

  /**
   * Ends the authorization and its tokens. The change feed notifies the gateways that have MCP sessions with
   * this authorization.
   * @throws AppError `not_found`, also for authorizations of other users, unless the actor is an admin
   */
  async revoke(change: Change, id: string): Promise<void> {
    const { actor } = change;
    change.concerns({ type: TYPE, id }, 'delete');
    const { orgId } = actor;
    await this.stored.manager.transaction(async (db) => {
      const found = await db.findOne(Authorization, {
        where: { orgId, id },
        lock: { mode: 'pessimistic_write' },
      });
      const isOwn = found?.userId === actor.userId && actor.identityType === 'user';
      if (found === null || (!isOwn && actor.role !== 'admin'))
        throw new AppError('not_found', 'there is no such authorization');
      await db.delete(Authorization, { orgId, id });
      const user = await this.principals.called(db, { orgId, identityType: 'user', userId: found.userId });
      const before = viewOf(found, user?.id ?? found.userId);
      await change.record(db, { type: TYPE, id, action: 'delete', before, after: null });
    });
  }
}

function viewOf(row: Authorization, user: string): McpAuthorizationView {
  return {
    id: row.id,
    client_id: row.clientId,
    client_name: row.clientName,
    redirect_host: placeOfUri(row.redirectUri),
    connection: row.connection,
    user,
    created_at: row.createdAt,
    expires_at: row.expiresAt,
  };
}
