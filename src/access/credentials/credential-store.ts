import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { isUUID } from 'class-validator';
import { type EntityManager, type FindOptionsWhere, IsNull, Raw, Repository } from 'typeorm';
import { newestFirst } from '../../platform/database/newest-first';
import { PlainRows } from '../../platform/database/plain-rows';
import { queryPool } from '../../platform/database/pools/query-pool';
import type { ScramVerifier } from '../../gate/ports/issued-credentials';
import { type PageQuery, pageWindow } from '../../platform/http/dto/page';
import type { Principal } from '../../kernel/principal';
import { ConnectionCredential } from './credential.entity';

export type CredentialKey = Pick<ConnectionCredential, 'orgId' | 'id'>;

/** The columns of a credential that have values as soon as the credential is stored. */
export type StoredCredential = Pick<
  ConnectionCredential,
  'id' | 'reviewId' | 'expireAt' | 'createdAt' | 'reason'
>;

/** A credential that waits for its review. The credential and the review have the same id. */
interface PendingCredential {
  readonly id: string;
  readonly createdAt: Date;
  readonly connectionId: string;
  readonly reason: string | null;
}

/** Reads and writes credentials. The code in src/access/life decides who may have a credential. */
@Injectable()
export class CredentialStore {
  private plain: PlainRows<ConnectionCredential> | undefined;

  constructor(
    @InjectRepository(ConnectionCredential) private readonly credentials: Repository<ConnectionCredential>,
  ) {}

  transaction<T>(work: (db: EntityManager) => Promise<T>): Promise<T> {
    return this.credentials.manager.transaction(work);
  }

  /** Returns a page of the principal's own credentials, newest first, and the number of all of them. */
  pageOf(owner: Principal, query: PageQuery): Promise<[ConnectionCredential[], number]> {
    return newestFirst(this.credentials, owner.orgId, pageWindow(query), (builder) =>
      builder.andWhere({ identityType: owner.identityType, userId: owner.userId }),
    );
  }

  findOne(which: FindOptionsWhere<ConnectionCredential>): Promise<ConnectionCredential | null> {
    return this.credentials.findOneBy(which);
  }

  /** A credential that is neither revoked nor expired, by the clock of the database. */
  async findLive(id: string): Promise<ConnectionCredential | null> {
    if (!isUUID(id)) return null;
    const { metadata, manager } = this.credentials;
    // Bypasses the entity manager for speed, because each sign-in of a client waits for this query.
    const plain = (this.plain ??= new PlainRows<ConnectionCredential>(metadata, 'credential'));
    const [row] = await queryPool<{ credential: unknown[] }>(
      manager.dataSource,
      `SELECT ${plain.array} AS credential FROM connection_credentials AS credential
       WHERE credential.id = $1 AND credential.revoked_at IS NULL AND credential.expire_at > now()`,
      [id],
    );
    return row === undefined ? null : plain.entity(row.credential, {});
  }

  read(db: EntityManager, { orgId, id }: CredentialKey): Promise<ConnectionCredential | null> {
    return db.findOneBy(ConnectionCredential, { orgId, id });
  }

  /** Locks the credential, so that no session is opened with it until the transaction ends. */
  lock(db: EntityManager, { orgId, id }: CredentialKey): Promise<ConnectionCredential | null> {
    return db.findOne(ConnectionCredential, {
      where: { orgId, id },
      lock: { mode: 'for_no_key_update' },
    });
  }

  /**
   * Locks all credentials of a connection that is being deleted. If a session is being opened with one of the
   * credentials, it waits for this lock, and then finds that the credential was deleted.
   */
  async lockOnConnection(db: EntityManager, orgId: string, connectionId: string): Promise<void> {
    await db.query(
      'SELECT FROM connection_credentials WHERE org_id = $1 AND connection_id = $2 ORDER BY id FOR UPDATE',
      [orgId, connectionId],
    );
  }

  /** Locks the valid credentials of a connection that were issued without an approval. */
  lockUnreviewed(db: EntityManager, orgId: string, connectionId: string): Promise<ConnectionCredential[]> {
    return db.find(ConnectionCredential, {
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
  }

  /** Revokes a credential. Its revocation is never before its creation, even if the clock was set back. */
  async revoke(db: EntityManager, { orgId, id }: CredentialKey): Promise<void> {
    await db.update(ConnectionCredential, { orgId, id }, { revokedAt: () => 'greatest(now(), created_at)' });
  }

  /**
   * Records that the owner may not use the credential any more. Returns false if this was recorded before, or
   * the credential was revoked.
   */
  async withhold(db: EntityManager, { orgId, id }: CredentialKey): Promise<boolean> {
    const unnoted = { orgId, id, revokedAt: IsNull(), withheldAt: IsNull() };
    const { affected } = await db.update(ConnectionCredential, unnoted, { withheldAt: () => 'now()' });
    return affected !== 0;
  }

  /** Records when an approved credential was first used, and when it expires. */
  async begin(
    db: EntityManager,
    { orgId, id }: CredentialKey,
    span: { readonly begunAt: Date; readonly endsAt: Date },
  ): Promise<void> {
    await db.update(ConnectionCredential, { orgId, id }, { begunAt: span.begunAt, expireAt: span.endsAt });
  }

  /** Replaces the password. */
  async setPassword(db: EntityManager, { orgId, id }: CredentialKey, verifier: ScramVerifier): Promise<void> {
    const { iterations, salt, storedKey, serverKey } = verifier;
    await db.update(ConnectionCredential, { orgId, id }, { iterations, salt, storedKey, serverKey });
  }

  /** Stores a credential without a password, which waits for its review. */
  async addPending(
    db: EntityManager,
    { orgId, identityType, userId, groups }: Principal,
    pending: PendingCredential,
  ): Promise<ConnectionCredential> {
    const credential = db.create(ConnectionCredential, {
      ...pending,
      orgId,
      identityType,
      userId,
      ownerGroups: groups,
      reviewId: pending.id,
      expireAt: null,
      revokedAt: null,
      withheldAt: null,
    });
    await db.insert(ConnectionCredential, credential);
    return credential;
  }

  /** Stores an issued credential. Its end is computed by the database's clock, which all gateways share. */
  async addIssued(
    db: EntityManager,
    { orgId, identityType, userId, groups }: Principal,
    connectionId: string,
    { iterations, salt, storedKey, serverKey }: ScramVerifier,
    { seconds, reason }: { seconds: number; reason: string | null },
  ): Promise<StoredCredential> {
    const [row] = await db.query<{ id: string; created_at: Date; expire_at: Date }[]>(
      `INSERT INTO connection_credentials
         (org_id, connection_id, identity_type, user_id, owner_groups, iterations, salt, stored_key, server_key, expire_at, reason)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + make_interval(secs => $10), $11)
       RETURNING id, created_at, expire_at`,
      [
        orgId,
        connectionId,
        identityType,
        userId,
        groups,
        iterations,
        salt,
        storedKey,
        serverKey,
        seconds,
        reason,
      ],
    );
    if (row === undefined) throw new Error('a row that was inserted was not returned');
    return { id: row.id, reviewId: null, createdAt: row.created_at, expireAt: row.expire_at, reason };
  }
}
