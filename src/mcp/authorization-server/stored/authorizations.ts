import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { Principals } from '../../../identity/auth/users/principals';
import { ChangeFeed } from '../../../platform/database/feed/change-feed';
import { AppError } from '../../../kernel/app-error';
import { Clock } from '../../../kernel/async/clock';
import { AuthorizationAudit, type Caller } from './authorization-audit';
import { Authorization, AuthorizationToken, type IssuedTokenKind } from './authorization.entity';
import type { CheckedRequest } from './authorization-requests';
import { OAuthFault } from '../protocol/oauth-fault';
import type { Aim } from '../protocol/requested-resource';
import { sha256 } from '../../../platform/http/pages/browser-secret';
import { newToken } from './secrets';

const CODE_LIFETIME_MS = 60_000;
const ACCESS_LIFETIME_MS = 3_600_000;
/** Lifetime of an authorization. After it, the person signs in at the identity provider again. */
const AUTHORIZATION_LIFETIME_MS = 30 * 86_400_000;

const NAMES = { code: 'code', refresh: 'refresh token' } as const;

export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresInSeconds: number;
  /** Resource that the tokens are for. */
  readonly aim: Aim;
}

/** A stored access token. It may have expired. */
export interface FoundAccess {
  readonly authorizationId: string;
  readonly userId: string;
  /** Name of the connection; null for the REST API. */
  readonly connection: Aim;
  readonly expiresAt: Date;
}

/** An authorization of a client, before it is stored. */
export type Allowed = Omit<Authorization, 'createdAt' | 'expiresAt'>;

/** Returns a reason to end the authorization if the code or token was misused; otherwise undefined. */
export type MisuseCheck = (authorization: Authorization, token: AuthorizationToken) => string | undefined;

/**
 * Users' authorizations of clients, with their codes and tokens. Codes and refresh tokens are valid once: a
 * second use ends the authorization with all its tokens (RFC 9700, section 4.14). A use locks the
 * authorization, so that two uses at the same time, on any gateway, are processed one after the other.
 */
@Injectable()
export class Authorizations {
  constructor(
    @InjectRepository(Authorization) private readonly authorizations: Repository<Authorization>,
    private readonly principals: Principals,
    private readonly audit: AuthorizationAudit,
    private readonly clock: Clock,
    private readonly feed: ChangeFeed,
  ) {}

  /**
   * Stores the authorization that the person granted. Returns its id and its authorization code.
   * @throws QueryFailedError when the person or the connection no longer exists.
   */
  async grant(db: EntityManager, request: CheckedRequest): Promise<{ id: string; code: string }> {
    const id = randomUUID();
    const now = this.clock.now();
    await this.open(db, { ...request, id }, now);
    const code = newToken('code');
    await this.keep(
      db,
      { orgId: request.orgId, id },
      'code',
      code,
      now + CODE_LIFETIME_MS,
      request.codeChallenge,
    );
    return { id, code };
  }

  /**
   * Stores the authorization that the person granted to a device. Returns tokens, because a device needs no
   * authorization code.
   * @throws QueryFailedError when the person no longer exists.
   */
  async grantTokens(db: EntityManager, allowed: Allowed): Promise<IssuedTokens> {
    const now = this.clock.now();
    return this.issue(db, await this.open(db, allowed, now), now);
  }

  /**
   * Exchanges a code or a refresh token for new tokens.
   * @param aim requested resource of the tokens; undefined for the resource of the authorization.
   * @throws OAuthFault `invalid_grant`, `invalid_target`
   */
  async exchange(
    kind: 'code' | 'refresh',
    token: string,
    aim: Aim | undefined,
    misuse: MisuseCheck,
    caller: Caller,
  ): Promise<IssuedTokens> {
    const found = await this.findOf(kind, token);
    if (found === undefined) throw notValid(kind);
    await this.requireActive(found.authorization, kind);
    if (aim !== undefined && aim !== found.authorization.connection)
      throw new OAuthFault('invalid_target', 'the token is for another resource');
    const issued = await this.authorizations.manager.transaction(async (db) => {
      const authorization = await this.lock(db, found.authorization.id);
      if (authorization === null) return undefined;
      const now = this.clock.now();
      const { affected } = await db
        .createQueryBuilder()
        .update(AuthorizationToken)
        .set({ usedAt: new Date(now) })
        .where('token_hash = :hash AND used_at IS NULL', { hash: found.token.tokenHash })
        .execute();
      const fault = affected === 1 ? misuse(authorization, found.token) : `a ${NAMES[kind]} was used twice`;
      if (fault !== undefined) {
        await this.end(db, authorization, 'reused', caller, fault);
        return undefined;
      }
      return found.token.expiresAt.getTime() > now ? this.issue(db, authorization, now) : undefined;
    });
    if (issued !== undefined) return issued;
    // If the authorization ended, waits until this gateway has removed it from its caches.
    await this.feed.caughtUp();
    throw notValid(kind);
  }

  /**
   * Ends the authorization of an access or refresh token (RFC 7009). Ignores unknown tokens and tokens of
   * other clients.
   */
  async revoke(token: string, clientId: string, caller: Caller): Promise<void> {
    for (const kind of ['refresh', 'access'] as const) {
      const found = await this.findOf(kind, token);
      if (found === undefined || found.authorization.clientId !== clientId) continue;
      await this.authorizations.manager.transaction(async (db) => {
        const authorization = await this.lock(db, found.authorization.id);
        if (authorization !== null) await this.end(db, authorization, 'ended', caller);
      });
      // Waits until this gateway has removed the authorization from its caches.
      await this.feed.caughtUp();
    }
  }

  /** Returns a stored token, even an expired one; undefined if unknown or if its authorization ended. */
  async findAccess(bearer: string): Promise<FoundAccess | undefined> {
    const found = await this.findOf('access', bearer);
    if (found === undefined) return undefined;
    const { id: authorizationId, userId, connection } = found.authorization;
    return { authorizationId, userId, connection, expiresAt: found.token.expiresAt };
  }

  private async open(db: EntityManager, allowed: Allowed, now: number): Promise<Authorization> {
    const { orgId, id, userId, connectionId, connection, clientId, clientName, redirectUri } = allowed;
    const authorization = db.create(Authorization, {
      orgId,
      id,
      userId,
      connectionId,
      connection,
      clientId,
      clientName,
      redirectUri,
      createdAt: new Date(now),
      expiresAt: new Date(now + AUTHORIZATION_LIFETIME_MS),
    });
    await db.insert(Authorization, authorization);
    return authorization;
  }

  private async findOf(
    kind: IssuedTokenKind,
    token: string,
  ): Promise<{ token: AuthorizationToken; authorization: Authorization } | undefined> {
    const { manager } = this.authorizations;
    const row = await manager.findOneBy(AuthorizationToken, { tokenHash: sha256(token), kind });
    const authorization =
      row === null ? null : await manager.findOneBy(Authorization, { id: row.authorizationId });
    return row === null || authorization === null ? undefined : { token: row, authorization };
  }

  private async requireActive({ userId }: Authorization, kind: 'code' | 'refresh'): Promise<void> {
    try {
      await this.principals.current({ identityType: 'user', userId });
    } catch (error) {
      throw error instanceof AppError && error.code === 'unauthenticated' ? notValid(kind) : error;
    }
  }

  private lock(db: EntityManager, id: string): Promise<Authorization | null> {
    return db.findOne(Authorization, { where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  private async issue(db: EntityManager, authorization: Authorization, now: number): Promise<IssuedTokens> {
    const { expiresAt } = authorization;
    const ends = Math.min(now + ACCESS_LIFETIME_MS, expiresAt.getTime());
    const [accessToken, refreshToken] = [newToken('access'), newToken('refresh')];
    await this.keep(db, authorization, 'access', accessToken, ends);
    await this.keep(db, authorization, 'refresh', refreshToken, expiresAt.getTime());
    return {
      accessToken,
      refreshToken,
      expiresInSeconds: Math.floor((ends - now) / 1000),
      aim: authorization.connection,
    };
  }

  private async keep(
    db: EntityManager,
    { orgId, id: authorizationId }: Pick<Authorization, 'orgId' | 'id'>,
    kind: IssuedTokenKind,
    token: string,
    expiresAt: number,
    codeChallenge: string | null = null,
  ): Promise<void> {
    await db.insert(AuthorizationToken, {
      orgId,
      tokenHash: sha256(token),
      authorizationId,
      kind,
      codeChallenge,
      expiresAt: new Date(expiresAt),
      usedAt: null,
    });
  }

  private async end(
    db: EntityManager,
    authorization: Authorization,
    event: 'ended' | 'reused',
    caller: Caller,
    why?: string,
  ): Promise<void> {
    const { orgId, userId } = authorization;
    await db.delete(Authorization, { id: authorization.id });
    const person = await this.principals.called(db, { orgId, identityType: 'user', userId });
    const actor = { orgId, subject: person?.id ?? userId, email: person?.email ?? '' };
    await this.audit.append(db, actor, event, authorization, caller, why);
  }
}

function notValid(kind: 'code' | 'refresh'): OAuthFault {
  return new OAuthFault('invalid_grant', `the ${NAMES[kind]} is not valid, was used, or has expired`);
}
