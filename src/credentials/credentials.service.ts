import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { Settings } from '../config/settings';
import { ConnectionsService } from '../connections/connections.service';
import { FOREIGN_KEY_VIOLATION, brokenConstraint } from '../database/constraint';
import { newestFirst } from '../database/newest-first';
import { personOf } from '../events/event';
import { Outbox } from '../events/outbox';
import { AccessDecider, requireReason } from '../gate/ports/access-decider';
import type { ScramVerifier } from '../gate/ports/issued-credentials';
import { type Target, TargetDirectory } from '../gate/ports/target-directory';
import type { Change } from '../http/change';
import { type PageQuery, pageOf, windowOf } from '../http/page';
import { AppError } from '../kernel/app-error';
import { Clock } from '../kernel/clock';
import type { Principal } from '../kernel/principal';
import { GrantReviews } from '../reviews/grant-reviews';
import { ConnectSessions } from '../sessions/connect-sessions';
import { revocationOf } from './access-revoked';
import { ApprovedAccess } from './approved-access';
import { clientAddress } from './client-address';
import {
  type CredentialBody,
  type CredentialPage,
  DEFAULT_SECONDS,
  type IssuedCredentialView,
  TYPE,
  credentialHead,
  statusOf,
} from './credential.dto';
import { ConnectionCredential } from './credential.entity';
import { noConnection, noCredential } from './missing';
import { freshPassword } from './password';

/** Gives people and machines credentials for clients of a target's own protocol, and takes them back. */
@Injectable()
export class CredentialsService {
  constructor(
    @InjectRepository(ConnectionCredential) private readonly credentials: Repository<ConnectionCredential>,
    private readonly connections: ConnectionsService,
    private readonly targets: TargetDirectory,
    private readonly access: AccessDecider,
    private readonly approved: ApprovedAccess,
    private readonly grants: GrantReviews,
    private readonly outbox: Outbox,
    private readonly sessions: ConnectSessions,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /**
   * Access is decided as for somebody who connects; it is decided again whenever the credential is used. Where people
   * have to approve, they are asked first, and the same call has the credential once they did.
   * @throws AppError `not_found`, `forbidden`; `unprocessable` for connections that no such client can use, and beyond
   * what the rules let; `conflict` outside the hours of an approval.
   */
  async issue(change: Change, nameOrId: string, body: CredentialBody): Promise<IssuedCredentialView> {
    const { actor } = change;
    const target = await this.targets.find(actor, nameOrId);
    if (target === undefined) throw noConnection();
    const decision = await this.access.decide(actor, target, 'connect', this.clock.now());
    if (decision.kind === 'deny') throw new AppError('forbidden', decision.message);
    this.requireServed(target);
    const seconds = body.access_duration_seconds ?? null;
    const reason = body.reason ?? null;
    if (decision.kind === 'allow') requireReason(decision.reasonFor, reason);
    const asking =
      decision.kind === 'review'
        ? this.approved.ask(change, target, decision, { seconds, reason })
        : this.give(change, target, seconds ?? DEFAULT_SECONDS, reason);
    const { credential, password } = await asking.catch((error: unknown) => {
      const broken = brokenConstraint(error, FOREIGN_KEY_VIOLATION);
      throw broken === 'connection_credentials_connection_fk' ? noConnection() : error;
    });
    const head = credentialHead(credential, target);
    const { expire_at } = head;
    if (password === undefined || expire_at === null) return { ...head, connection_credentials: null };
    const client = { username: head.id, password, database: target.name };
    return { ...head, expire_at, connection_credentials: clientAddress(this.settings, client) };
  }

  /** Where nobody has to approve. */
  private async give(
    change: Change,
    target: Target,
    seconds: number,
    reason: string | null,
  ): Promise<{ credential: IssuedRow; password: string }> {
    const { password, verifier } = await freshPassword();
    const credential = await this.credentials.manager.transaction(async (db) => {
      const issued = await insert(db, change.actor, target, verifier, { seconds, reason });
      const after = credentialHead(issued, target);
      await change.record(db, { type: TYPE, id: issued.id, action: 'create', before: null, after });
      return issued;
    });
    return { credential, password };
  }

  private requireServed({ clientProtocol }: Target): void {
    if (clientProtocol === null)
      throw new AppError('unprocessable', 'credentials are issued for postgres connections only');
    if (this.settings.POSTGRES_PROXY_PORT === 0)
      throw new AppError('unprocessable', 'this gateway does not listen for PostgreSQL clients');
  }

  /** The actor's own. */
  async list(actor: Principal, query: PageQuery): Promise<CredentialPage> {
    const { orgId } = actor;
    const [rows, total] = await newestFirst(this.credentials, orgId, windowOf(query), (builder) =>
      builder.andWhere({ identityType: actor.identityType, userId: actor.userId }),
    );
    const [named, begun, standings] = await Promise.all([
      this.connections.named(
        orgId,
        rows.map((row) => row.connectionId),
      ),
      this.sessions.lastBegun(
        orgId,
        rows.map((row) => row.id),
      ),
      this.grants.standing(
        orgId,
        rows.flatMap((row) => row.reviewId ?? []),
      ),
    ]);
    const views = rows.flatMap((row) => {
      const connection = named.get(row.connectionId);
      // Deleted since the page was read, and the credential with it.
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

  /**
   * Ends the credential, and the sessions that came with it; of one that people approve, it takes back the request or the
   * approval. It stays listed; revoking twice changes nothing.
   * @throws AppError `not_found`, also to those whose it is not; admins may revoke all.
   */
  async revoke(change: Change, nameOrId: string, id: string): Promise<void> {
    const { actor } = change;
    change.concerns({ type: TYPE, id }, 'update');
    const connection = await this.connections.findByNameOrId(actor.orgId, nameOrId);
    if (connection === null) throw noCredential();
    const key = { orgId: actor.orgId, connectionId: connection.id, id };
    const owner = actor.role === 'admin' ? {} : { identityType: actor.identityType, userId: actor.userId };
    const found = await this.credentials.findOneBy({ ...key, ...owner });
    if (found === null) throw noCredential();
    if (found.reviewId === null) await this.end(change, found);
    else await this.grants.revoke(change, found.reviewId).catch(ignoreConflict);
  }

  private async end(change: Change, { orgId, id }: ConnectionCredential): Promise<void> {
    const { actor } = change;
    const key = { orgId, id };
    await this.credentials.manager.transaction(async (db) => {
      // Locked before its sessions are looked for: none begins with it from here on.
      const lock = { mode: 'for_no_key_update' } as const;
      const before = await db.findOne(ConnectionCredential, { where: key, lock });
      if (before === null) throw noCredential();
      if (before.revokedAt === null) {
        await db.update(ConnectionCredential, key, { revokedAt: now });
        const data = await revocationOf(db, before, 'revoked', personOf(actor));
        await this.outbox.add(db, { orgId, type: 'access.revoked', data });
      }
      const after = await db.findOneByOrFail(ConnectionCredential, key);
      const by = actor.email || actor.subject;
      await this.sessions.endOfCredential(db, orgId, id, `The access was revoked by ${by}.`);
      await change.record(db, {
        type: TYPE,
        id,
        action: 'update',
        before: { revoked_at: before.revokedAt },
        after: { revoked_at: after.revokedAt },
      });
    });
  }
}

/** It is over already. */
function ignoreConflict(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
}

/** By the database's clock, which may have been set back since the credential was issued. */
const now = (): string => 'greatest(now(), created_at)';

type IssuedRow = Pick<ConnectionCredential, 'id' | 'reviewId' | 'expireAt' | 'createdAt' | 'reason'>;

/** Its span is measured by the database's clock, which all gateways share. */
async function insert(
  db: EntityManager,
  { orgId, identityType, userId, groups }: Principal,
  target: Target,
  { iterations, salt, storedKey, serverKey }: ScramVerifier,
  { seconds, reason }: { seconds: number; reason: string | null },
): Promise<IssuedRow> {
  const [row] = await db.query<{ id: string; created_at: Date; expire_at: Date }[]>(
    `INSERT INTO connection_credentials
       (org_id, connection_id, identity_type, user_id, owner_groups, iterations, salt, stored_key, server_key, expire_at, reason)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + make_interval(secs => $10), $11)
     RETURNING id, created_at, expire_at`,
    [orgId, target.id, identityType, userId, groups, iterations, salt, storedKey, serverKey, seconds, reason],
  );
  if (row === undefined) throw new Error('a row that was inserted was not returned');
  return { id: row.id, reviewId: null, createdAt: row.created_at, expireAt: row.expire_at, reason };
}
