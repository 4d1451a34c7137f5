import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { Settings } from '../config/settings';
import { ConnectionsService } from '../connections/connections.service';
import { FOREIGN_KEY_VIOLATION, brokenConstraint } from '../database/constraint';
import { newestFirst } from '../database/newest-first';
import { AccessDecider, type AccessDecision } from '../gate/ports/access-decider';
import type { ScramVerifier } from '../gate/ports/issued-credentials';
import { type Target, TargetDirectory } from '../gate/ports/target-directory';
import type { Change } from '../http/change';
import { type PageQuery, pageOf, windowOf } from '../http/page';
import { AppError } from '../kernel/app-error';
import { Clock } from '../kernel/clock';
import type { Principal } from '../kernel/principal';
import { ConnectSessions } from '../sessions/connect-sessions';
import { clientAddress } from './client-address';
import {
  type CredentialBody,
  type CredentialPage,
  DEFAULT_SECONDS,
  type IssuedCredentialView,
  credentialHead,
  statusOf,
} from './credential.dto';
import { ConnectionCredential } from './credential.entity';
import { scramVerifier } from './scram-verifier';

const TYPE = 'connection-credentials';
/** 256 bits, in letters, digits, `-` and `_`: an address takes them as they are. */
const PASSWORD_BYTES = 32;

/** Gives people and machines credentials for clients of a target's own protocol, and takes them back. */
@Injectable()
export class CredentialsService {
  constructor(
    @InjectRepository(ConnectionCredential) private readonly credentials: Repository<ConnectionCredential>,
    private readonly connections: ConnectionsService,
    private readonly targets: TargetDirectory,
    private readonly access: AccessDecider,
    private readonly sessions: ConnectSessions,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /**
   * Access is decided as for somebody who connects; it is decided again whenever the credential is used.
   * @throws AppError `not_found`, `forbidden`; `unprocessable` for connections that no such client can use.
   */
  async issue(change: Change, nameOrId: string, body: CredentialBody): Promise<IssuedCredentialView> {
    const { actor } = change;
    const target = await this.targets.find(actor, nameOrId);
    if (target === undefined) throw noConnection();
    requireAllowed(await this.access.decide(actor, target, 'connect', this.clock.now()), target);
    if (target.subtype !== 'postgres')
      throw new AppError('unprocessable', 'credentials are issued for postgres connections only');
    const password = randomBytes(PASSWORD_BYTES).toString('base64url');
    const verifier = await scramVerifier(password);
    const seconds = body.access_duration_seconds ?? DEFAULT_SECONDS;
    const head = await this.credentials.manager
      .transaction(async (db) => {
        const issued = credentialHead(await insert(db, actor, target, verifier, seconds), target);
        await change.record(db, { type: TYPE, id: issued.id, action: 'create', before: null, after: issued });
        return issued;
      })
      .catch((error: unknown) => {
        const broken = brokenConstraint(error, FOREIGN_KEY_VIOLATION);
        throw broken === 'connection_credentials_connection_fk' ? noConnection() : error;
      });
    const client = { username: head.id, password, database: target.name };
    return { ...head, connection_credentials: clientAddress(this.settings, client) };
  }

  /** The actor's own. */
  async list(actor: Principal, query: PageQuery): Promise<CredentialPage> {
    const { orgId } = actor;
    const [rows, total] = await newestFirst(this.credentials, orgId, windowOf(query), (builder) =>
      builder.andWhere({ identityType: actor.identityType, userId: actor.userId }),
    );
    const [named, begun] = await Promise.all([
      this.connections.named(
        orgId,
        rows.map((row) => row.connectionId),
      ),
      this.sessions.lastBegun(
        orgId,
        rows.map((row) => row.id),
      ),
    ]);
    const views = rows.flatMap((row) => {
      const connection = named.get(row.connectionId);
      // Deleted since the page was read, and the credential with it.
      if (connection === undefined) return [];
      return {
        ...credentialHead(row, connection),
        status: statusOf(row, this.clock.now()),
        revoked_at: row.revokedAt,
        last_used_at: begun.get(row.id) ?? null,
      };
    });
    return pageOf(query, views, total);
  }

  /**
   * Ends the credential, and the sessions that came with it. It stays listed; revoking twice changes nothing.
   * @throws AppError `not_found`, also to those whose it is not; admins may revoke all.
   */
  async revoke(change: Change, nameOrId: string, id: string): Promise<void> {
    const { actor } = change;
    change.concerns({ type: TYPE, id }, 'update');
    const connection = await this.connections.findByNameOrId(actor.orgId, nameOrId);
    if (connection === null) throw noCredential();
    const key = { orgId: actor.orgId, connectionId: connection.id, id };
    const owner = actor.role === 'admin' ? {} : { identityType: actor.identityType, userId: actor.userId };
    await this.credentials.manager.transaction(async (db) => {
      // Locked before its sessions are looked for: none begins with it from here on.
      const lock = { mode: 'for_no_key_update' } as const;
      const before = await db.findOne(ConnectionCredential, { where: { ...key, ...owner }, lock });
      if (before === null) throw noCredential();
      if (before.revokedAt === null) await db.update(ConnectionCredential, key, { revokedAt: now });
      const after = await db.findOneByOrFail(ConnectionCredential, key);
      const by = actor.email || actor.subject;
      await this.sessions.endOfCredential(db, actor.orgId, id, `The access was revoked by ${by}.`);
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

/** By the database's clock, which may have been set back since the credential was issued. */
const now = (): string => 'greatest(now(), created_at)';

/** Its span is measured by the database's clock, which all gateways share. */
async function insert(
  db: EntityManager,
  { orgId, identityType, userId }: Principal,
  target: Target,
  { iterations, salt, storedKey, serverKey }: ScramVerifier,
  seconds: number,
): Promise<Pick<ConnectionCredential, 'id' | 'expireAt' | 'createdAt'>> {
  const [row] = await db.query<{ id: string; created_at: Date; expire_at: Date }[]>(
    `INSERT INTO connection_credentials
       (org_id, connection_id, identity_type, user_id, iterations, salt, stored_key, server_key, expire_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(secs => $9))
     RETURNING id, created_at, expire_at`,
    [orgId, target.id, identityType, userId, iterations, salt, storedKey, serverKey, seconds],
  );
  if (row === undefined) throw new Error('a row that was inserted was not returned');
  return { id: row.id, createdAt: row.created_at, expireAt: row.expire_at };
}

function requireAllowed(decision: AccessDecision, target: Target): void {
  switch (decision.kind) {
    case 'allow':
      return;
    case 'deny':
      throw new AppError('forbidden', decision.message);
    case 'review':
      throw new AppError(
        'forbidden',
        `access to the connection ${target.name} needs an approval, which cannot be asked for here yet`,
      );
  }
}

function noConnection(): AppError {
  return new AppError('not_found', 'there is no such connection');
}

function noCredential(): AppError {
  return new AppError('not_found', 'there is no credential with this id');
}
