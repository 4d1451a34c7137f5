import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LRUCache } from 'lru-cache';
import { type EntityManager, Repository } from 'typeorm';
import { ChangeFeed } from '../../../platform/database/feed/change-feed';
import { UNIQUE_VIOLATION, brokenConstraint } from '../../../platform/database/faults/constraint';
import { newestFirst } from '../../../platform/database/newest-first';
import type { Change } from '../../../platform/http/routes/change';
import { type PageQuery, pageOf, pageWindow } from '../../../platform/http/dto/page';
import { type ExpectedVersion, requireUnchanged } from '../../../platform/http/routes/versions';
import { AppError } from '../../../kernel/app-error';
import { Clock } from '../../../kernel/async/clock';
import type { Principal } from '../../../kernel/principal';
import {
  type ApiKeyBody,
  type ApiKeyPage,
  type ApiKeyView,
  type CreatedApiKeyView,
  apiKeyView,
} from './api-key.dto';
import { ApiKey } from './api-key.entity';
import { Roles } from './roles';
import { entriesAtMost } from '../../../kernel/runtime/entries-at-most';

const TYPE = 'api-keys';
/** 43 characters of base64url carry 256 bits (contract, "Authentication"). */
const KEY_BYTES = 32;
const KEY_START = 'gwk_';
const SHOWN_CHARACTERS = 8;
const CACHED_KEYS = 10_000;
/** Prefix of a machine's subject. */
const SUBJECT_START = 'api-key:';
const KEY_SUBJECT = /^api-key:([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/;

export function isApiKey(bearer: string): boolean {
  return bearer.startsWith(KEY_START);
}

/** API keys: shown once, stored as SHA-256, ended by expiry or by an admin. */
@Injectable()
export class ApiKeysService {
  private readonly known = new LRUCache<string, ApiKey>(entriesAtMost(CACHED_KEYS));
  /**
   * Increases with every change notification. A row that was read before a
   * change must not be cached after it.
   */
  private epoch = 0;

  constructor(
    @InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>,
    private readonly roles: Roles,
    private readonly clock: Clock,
    private readonly feed: ChangeFeed,
  ) {
    const forget = (): void => {
      this.epoch += 1;
      this.known.clear();
    };
    feed.subscribe({ changed: (table) => (table === 'api_keys' ? forget() : undefined), reset: forget });
  }

  /** Whether the key is cached, so that it can be checked without a database query. */
  knows(bearer: string): boolean {
    return this.known.has(sha256(bearer).toString('base64'));
  }

  /** @throws AppError `unauthenticated` for an unknown, expired or revoked key. */
  async identify(bearer: string): Promise<Principal> {
    const hash = sha256(bearer);
    return this.asPrincipal(
      await this.cached(hash.toString('base64'), () => this.keys.findOneBy({ keyHash: hash })),
    );
  }

  /** The machine in its current state. @throws AppError `unauthenticated` when its key has ended. */
  async principal(id: string): Promise<Principal> {
    return this.asPrincipal(await this.cached(id, () => this.keys.findOneBy({ id })));
  }

  async list(orgId: string, query: PageQuery): Promise<ApiKeyPage> {
    const [keys, total] = await newestFirst(this.keys, orgId, pageWindow(query));
    return pageOf(
      query,
      keys.map((key) => apiKeyView(key, this.clock.now())),
      total,
    );
  }

  async get(orgId: string, id: string): Promise<ApiKeyView> {
    const key = await this.keys.findOneBy({ orgId, id });
    if (key === null) throw notFound();
    return apiKeyView(key, this.clock.now());
  }

  /** The name of a machine, which has no e-mail. */
  async called(
    db: EntityManager,
    orgId: string,
    id: string,
  ): Promise<{ id: string; email: string; name: string } | undefined> {
    const key = await db.findOneBy(ApiKey, { orgId, id });
    return key === null ? undefined : { id: `${SUBJECT_START}${key.id}`, email: '', name: key.name };
  }

  /** Subject of the person who created the key, directly or by another key. */
  async madeBy(orgId: string, id: string): Promise<string> {
    const { created_by } = await this.get(orgId, id);
    const maker = KEY_SUBJECT.exec(created_by)?.[1];
    return maker === undefined ? created_by : this.madeBy(orgId, maker);
  }

  async create(change: Change, body: ApiKeyBody): Promise<CreatedApiKeyView> {
    const secret = `${KEY_START}${randomBytes(KEY_BYTES).toString('base64url')}`;
    const key = this.keys.create({
      orgId: change.actor.orgId,
      name: body.name,
      prefix: secret.slice(0, SHOWN_CHARACTERS),
      keyHash: sha256(secret),
      groups: [...new Set(body.groups)],
      createdBy: change.actor.subject,
      expiresAt: this.expiry(body.expires_at ?? null),
      revokedAt: null,
    });
    try {
      await this.keys.manager.transaction(async (db) => {
        await db.save(key);
        const after = apiKeyView(key, this.clock.now());
        await change.record(db, { type: TYPE, id: key.id, action: 'create', before: null, after });
      });
    } catch (error) {
      if (brokenConstraint(error, UNIQUE_VIOLATION) !== 'api_keys_name_index') throw error;
      throw new AppError('conflict', `an API key named ${body.name} already exists`);
    }
    return { ...apiKeyView(key, this.clock.now()), key: secret };
  }

  /** Revokes the key. It stays in the list, so that old sessions still show their owner. Idempotent. */
  async revoke(change: Change, id: string, expected: ExpectedVersion): Promise<void> {
    await this.keys.manager.transaction(async (db) => {
      const key = await db.findOne(ApiKey, {
        where: { orgId: change.actor.orgId, id },
        lock: { mode: 'for_no_key_update' },
      });
      if (key === null) throw notFound();
      const before = apiKeyView(key, this.clock.now());
      requireUnchanged(before, expected);
      key.revokedAt ??= new Date(this.clock.now());
      await db.save(key);
      const after = apiKeyView(key, this.clock.now());
      await change.record(db, { type: TYPE, id, action: 'delete', before, after });
    });
  }

  private expiry(given: string | null): Date | null {
    if (given === null) return null;
    const date = new Date(given);
    if (date.getTime() <= this.clock.now())
      throw new AppError('unprocessable', 'expires_at must be in the future');
    return date;
  }

  private async cached(id: string, find: () => Promise<ApiKey | null>): Promise<ApiKey> {
    const known = this.feed.live ? this.known.get(id) : undefined;
    if (known !== undefined) return known;
    const { epoch } = this;
    const key = await find();
    if (key === null) throw new AppError('unauthenticated', 'this API key is unknown');
    if (epoch === this.epoch && this.feed.live) this.known.set(id, key);
    return key;
  }

  private asPrincipal(key: ApiKey): Principal {
    const { status } = apiKeyView(key, this.clock.now());
    if (status !== 'active') throw new AppError('unauthenticated', `this API key is ${status}`);
    return {
      orgId: key.orgId,
      userId: key.id,
      subject: `${SUBJECT_START}${key.id}`,
      email: '',
      name: key.name,
      groups: key.groups,
      role: this.roles.of(key.groups),
      identityType: 'machine',
    };
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function notFound(): AppError {
  return new AppError('not_found', 'there is no API key with this id');
}
