import { hash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { SCIM_TOKEN_START } from '../../auth/tokens/scim-token-start';
import { UNIQUE_VIOLATION, brokenConstraint } from '../../../platform/database/faults/constraint';
import { newestFirst } from '../../../platform/database/newest-first';
import type { Change } from '../../../platform/http/routes/change';
import { type PageQuery, pageOf, pageWindow } from '../../../platform/http/dto/page';
import { type ExpectedVersion, requireUnchanged } from '../../../platform/http/routes/versions';
import { AppError } from '../../../kernel/app-error';
import { Clock } from '../../../kernel/async/clock';
import type { Principal } from '../../../kernel/principal';
import {
  type CreatedScimTokenView,
  type ScimTokenBody,
  type ScimTokenPage,
  type ScimTokenView,
  scimTokenView,
} from './scim-token.dto';
import { ScimToken } from './scim-token.entity';

const TYPE = 'scim-tokens';
const TOKEN_BYTES = 32;
const SHOWN_CHARACTERS = 8;
const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 365;
const MAX_DAYS = 731;

/** Tokens of identity providers: shown once, stored as SHA-256, ended by expiry or by an admin. */
@Injectable()
export class ScimTokens {
  constructor(
    @InjectRepository(ScimToken) private readonly tokens: Repository<ScimToken>,
    private readonly clock: Clock,
  ) {}

  /**
   * The provider that a token stands for, as an actor of its own without a role; undefined
   * for a token that is not, or no longer, good. Asked of the database each time, so that
   * a revoked token is refused by every gateway at once.
   */
  async identify(bearer: string): Promise<Principal | undefined> {
    const token = await this.tokens.findOneBy({ tokenHash: sha256(bearer) });
    if (token === null || scimTokenView(token, this.clock.now()).status !== 'active') return undefined;
    return {
      orgId: token.orgId,
      userId: token.id,
      subject: `scim-token:${token.id}`,
      email: '',
      name: token.name,
      groups: [],
      role: 'regular',
      identityType: 'machine',
    };
  }

  async list(orgId: string, query: PageQuery): Promise<ScimTokenPage> {
    const [tokens, total] = await newestFirst(this.tokens, orgId, pageWindow(query));
    return pageOf(
      query,
      tokens.map((token) => scimTokenView(token, this.clock.now())),
      total,
    );
  }

  async get(orgId: string, id: string): Promise<ScimTokenView> {
    const token = await this.tokens.findOneBy({ orgId, id });
    if (token === null) throw notFound();
    return scimTokenView(token, this.clock.now());
  }

  async create(change: Change, body: ScimTokenBody): Promise<CreatedScimTokenView> {
    const secret = `${SCIM_TOKEN_START}${randomBytes(TOKEN_BYTES).toString('base64url')}`;
    const token = this.tokens.create({
      orgId: change.actor.orgId,
      name: body.name,
      prefix: secret.slice(0, SHOWN_CHARACTERS),
      tokenHash: sha256(secret),
      createdBy: change.actor.subject,
      expiresAt: this.expiry(body.expires_at ?? null),
      revokedAt: null,
    });
    try {
      await this.tokens.manager.transaction(async (db) => {
        await db.save(token);
        const after = scimTokenView(token, this.clock.now());
        await change.record(db, { type: TYPE, id: token.id, action: 'create', before: null, after });
      });
    } catch (error) {
      if (brokenConstraint(error, UNIQUE_VIOLATION) !== 'scim_tokens_name_index') throw error;
      throw new AppError('conflict', `a SCIM token named ${body.name} already exists`);
    }
    return { ...scimTokenView(token, this.clock.now()), token: secret };
  }

  /** Revokes the token. It stays in the list, so that the audit log can be read. Idempotent. */
  async revoke(change: Change, id: string, expected: ExpectedVersion): Promise<void> {
    await this.tokens.manager.transaction(async (db) => {
      const token = await db.findOne(ScimToken, {
        where: { orgId: change.actor.orgId, id },
        lock: { mode: 'for_no_key_update' },
      });
      if (token === null) throw notFound();
      const before = scimTokenView(token, this.clock.now());
      requireUnchanged(before, expected);
      token.revokedAt ??= new Date(this.clock.now());
      await db.save(token);
      const after = scimTokenView(token, this.clock.now());
      await change.record(db, { type: TYPE, id, action: 'delete', before, after });
    });
  }

  private expiry(given: string | null): Date {
    const now = this.clock.now();
    if (given === null) return new Date(now + DEFAULT_DAYS * DAY_MS);
    const date = new Date(given);
    if (date.getTime() <= now) throw new AppError('unprocessable', 'expires_at must be in the future');
    if (date.getTime() > now + MAX_DAYS * DAY_MS)
      throw new AppError('unprocessable', 'expires_at must be at most two years from now');
    return date;
  }
}

function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

function notFound(): AppError {
  return new AppError('not_found', 'there is no SCIM token with this id');
}
