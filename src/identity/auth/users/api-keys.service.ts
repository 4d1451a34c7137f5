import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LRUCache } from 'lru-cache';
import { type EntityManager, Repository } from 'typeorm';
import { AppError } from '../../../kernel/app-error';
import { Clock } from '../../../kernel/async/clock';
import type { Principal } from '../../../kernel/principal';
import { entriesAtMost } from '../../../kernel/runtime/entries-at-most';
import { ChangeFeed } from '../../../platform/database/feed/change-feed';
import type { PageQuery } from '../../../platform/http/dto/page';
import type { Change } from '../../../platform/http/routes/change';
import type { ExpectedVersion } from '../../../platform/http/routes/versions';
import { IssuedSecrets, type SecretKind, secretDigest } from '../../issued-secrets/issued-secrets';
import { futureTime, secretStatus } from '../../issued-secrets/secret-status';
import {
  type ApiKeyBody,
  type ApiKeyPage,
  type ApiKeyView,
  type CreatedApiKeyView,
  apiKeyView,
} from './api-key.dto';
import { ApiKey } from './api-key.entity';
import { Roles } from './roles';

const KEY_START = 'gwk_';
const CACHED_KEYS = 10_000;
/** Prefix of a machine's subject. */
const SUBJECT_START = 'api-key:';
const KEY_SUBJECT = /^api-key:([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/;

export function isApiKey(bearer: string): boolean {
  return bearer.startsWith(KEY_START);
}

const API_KEYS: SecretKind<ApiKey, ApiKeyView> = {
  type: 'api-keys',
  noun: 'API key',
  article: 'an',
  start: KEY_START,
  digest: 'keyHash',
  nameIndex: 'api_keys_name_index',
  view: apiKeyView,
};

/** Manages API keys, and identifies the machines to which they belong. */
@Injectable()
export class ApiKeysService {
  private readonly secrets: IssuedSecrets<ApiKey, ApiKeyView>;
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
    this.secrets = new IssuedSecrets(API_KEYS, keys, clock);
    const forget = (): void => {
      this.epoch += 1;
      this.known.clear();
    };
    feed.subscribe({ changed: (table) => (table === 'api_keys' ? forget() : undefined), reset: forget });
  }

  /** Whether the key is cached, so that it can be checked without a database query. */
  knows(bearer: string): boolean {
    return this.known.has(secretDigest(bearer).toString('base64'));
  }

  /** @throws AppError `unauthenticated` for an unknown, expired or revoked key. */
  async identify(bearer: string): Promise<Principal> {
    const digest = secretDigest(bearer);
    return this.asPrincipal(await this.cached(digest.toString('base64'), () => this.secrets.find(digest)));
  }

  /**
   * Returns the machine in its current state. @throws AppError `unauthenticated` when its key is not active
   */
  async principal(id: string): Promise<Principal> {
    return this.asPrincipal(await this.cached(id, () => this.keys.findOneBy({ id })));
  }

  list(orgId: string, query: PageQuery): Promise<ApiKeyPage> {
    return this.secrets.list(orgId, query);
  }

  get(orgId: string, id: string): Promise<ApiKeyView> {
    return this.secrets.get(orgId, id);
  }

  /** Returns the id and the name of a machine, which has no e-mail. */
  async called(
    db: EntityManager,
    orgId: string,
    id: string,
  ): Promise<{ id: string; email: string; name: string } | undefined> {
    const key = await db.findOneBy(ApiKey, { orgId, id });
    return key === null ? undefined : { id: `${SUBJECT_START}${key.id}`, email: '', name: key.name };
  }

  /** Returns the subject of the person who created the key, directly or through other keys. */
  async madeBy(orgId: string, id: string): Promise<string> {
    const { created_by } = await this.get(orgId, id);
    const maker = KEY_SUBJECT.exec(created_by)?.[1];
    return maker === undefined ? created_by : this.madeBy(orgId, maker);
  }

  async create(change: Change, body: ApiKeyBody): Promise<CreatedApiKeyView> {
    const { name, groups, expires_at = null } = body;
    const expiresAt = expires_at === null ? null : futureTime(expires_at, this.clock.now());
    const own = { groups: [...new Set(groups)] };
    const { view, text } = await this.secrets.create(change, { name, expiresAt }, own);
    return { ...view, key: text };
  }

  revoke(change: Change, id: string, expected: ExpectedVersion): Promise<void> {
    return this.secrets.revoke(change, id, expected);
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
    const status = secretStatus(key, this.clock.now());
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
