import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { AppError } from '../../../kernel/app-error';
import { Clock } from '../../../kernel/async/clock';
import type { Principal } from '../../../kernel/principal';
import { UNIQUE_VIOLATION, brokenConstraint } from '../../../platform/database/faults/constraint';
import { newestFirst } from '../../../platform/database/newest-first';
import { pageOf, pageWindow } from '../../../platform/http/dto/page';
import type { PageOfUserQuery } from '../../../platform/http/dto/page-of-user';
import { satisfies } from '../../../platform/http/routes/access';
import type { Change } from '../../../platform/http/routes/change';
import { readSshKeyLine } from '../../../platform/keys/ssh-key-line';
import { sshKeyDigest } from '../../../platform/keys/ssh-public-key';
import { futureTime } from '../../issued-secrets/secret-status';
import { Principals } from './principals';
import {
  type SshPublicKeyBody,
  type SshPublicKeyPage,
  type SshPublicKeyView,
  sshPublicKeyView,
} from './ssh-public-key.dto';
import { SshPublicKeyRow } from './ssh-public-key.entity';

/** Type of the resource in the audit log. */
const TYPE = 'ssh-public-keys';
/** Maximum number of keys of one person. */
const MAX_KEYS = 20;

/** Registers, lists and removes the public keys by which people sign in over SSH. */
@Injectable()
export class SshPublicKeysService {
  constructor(
    @InjectRepository(SshPublicKeyRow) private readonly rows: Repository<SshPublicKeyRow>,
    private readonly principals: Principals,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError `forbidden`, `not_found`, `conflict`: see `Principals.askedAbout` */
  async page(actor: Principal, query: PageOfUserQuery): Promise<SshPublicKeyPage> {
    const owner = await this.principals.askedAbout(actor, query.user);
    const [rows, total] = await newestFirst(this.rows, owner.orgId, pageWindow(query), (builder) =>
      builder.andWhere({ userId: owner.userId }),
    );
    const now = this.clock.now();
    return pageOf(
      query,
      rows.map((row) => sshPublicKeyView(row, owner.subject, now)),
      total,
    );
  }

  /** @throws AppError `not_found`, also for keys of others, unless the actor is an auditor or admin */
  async get(actor: Principal, id: string): Promise<SshPublicKeyView> {
    const row = await this.rows.findOneBy({ orgId: actor.orgId, id });
    if (row === null || (!isOwner(actor, row) && !satisfies(actor.role, 'auditor'))) throw notFound();
    return this.view(this.rows.manager, row);
  }

  /**
   * Registers a key for the actor.
   * @throws AppError `forbidden` for machines; `unprocessable` for what is no acceptable public key;
   * `conflict` when the actor has too many keys or one of this name, or when the key is registered already
   */
  async create(change: Change, body: SshPublicKeyBody): Promise<SshPublicKeyView> {
    const { orgId, userId, identityType, subject } = change.actor;
    if (identityType === 'machine')
      throw new AppError('forbidden', 'API keys cannot register public keys: they sign in as a password');
    const { name, public_key, expires_at = null } = body;
    const key = readSshKeyLine(public_key);
    if (key.kind === 'refused') throw new AppError('unprocessable', `public_key: ${key.message}`);
    const expiresAt = expires_at === null ? null : futureTime(expires_at, this.clock.now());
    const row = this.rows.create({
      orgId,
      userId,
      name,
      publicKey: key.blob,
      digest: sshKeyDigest(key.blob),
      expiresAt,
      lastUsedAt: null,
    });
    try {
      return await this.rows.manager.transaction(async (db) => {
        await requireRoom(db, change.actor);
        await db.save(row);
        const after = sshPublicKeyView(row, subject, this.clock.now());
        await change.record(db, { type: TYPE, id: row.id, action: 'create', before: null, after });
        return after;
      });
    } catch (error) {
      throw takenError(error, name) ?? error;
    }
  }

  /**
   * Removes a key. The change feed notifies the gateways that have sessions which were opened with it.
   * @throws AppError `not_found`, also for keys of others, unless the actor is an admin
   */
  async remove(change: Change, id: string): Promise<void> {
    const { actor } = change;
    change.concerns({ type: TYPE, id }, 'delete');
    const { orgId } = actor;
    await this.rows.manager.transaction(async (db) => {
      const row = await db.findOne(SshPublicKeyRow, {
        where: { orgId, id },
        lock: { mode: 'pessimistic_write' },
      });
      if (row === null || (!isOwner(actor, row) && actor.role !== 'admin')) throw notFound();
      await db.delete(SshPublicKeyRow, { orgId, id });
      const before = await this.view(db, row);
      await change.record(db, { type: TYPE, id, action: 'delete', before, after: null });
    });
  }

  private async view(db: EntityManager, row: SshPublicKeyRow): Promise<SshPublicKeyView> {
    const { orgId, userId } = row;
    const owner = await this.principals.called(db, { orgId, identityType: 'user', userId });
    return sshPublicKeyView(row, owner?.id ?? userId, this.clock.now());
  }
}

/** Locks the person's row, so that two requests at the same time do not pass the limit. */
async function requireRoom(db: EntityManager, { orgId, userId }: Principal): Promise<void> {
  const people = await db.query<object[]>(
    'SELECT FROM users WHERE org_id = $1 AND id = $2 FOR NO KEY UPDATE',
    [orgId, userId],
  );
  if (people.length === 0) throw new AppError('unauthenticated', 'you were deleted');
  const count = await db.countBy(SshPublicKeyRow, { orgId, userId });
  if (count >= MAX_KEYS)
    throw new AppError('conflict', `you have ${count} public keys, which is the maximum: remove one first`);
}

function takenError(error: unknown, name: string): AppError | undefined {
  const broken = brokenConstraint(error, UNIQUE_VIOLATION);
  if (broken === 'ssh_public_keys_digest_unique')
    return new AppError('conflict', 'this public key is registered already, by you or by another user');
  return broken === 'ssh_public_keys_name_unique'
    ? new AppError('conflict', `a public key named ${name} already exists`)
    : undefined;
}

function isOwner(actor: Principal, { userId }: SshPublicKeyRow): boolean {
  return actor.identityType === 'user' && actor.userId === userId;
}

function notFound(): AppError {
  return new AppError('not_found', 'there is no such public key');
}
