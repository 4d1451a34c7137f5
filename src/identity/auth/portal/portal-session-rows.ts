import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, Repository } from 'typeorm';
import { repeatedInOutage } from '../../../platform/database/faults/retry';
import { IdentityProviderSettings } from '../../../platform/config/groups';
import { SecretBox } from '../../../platform/keys/secret-box';
import type { ProviderTokens } from '../provider/identity-provider.client';
import { PortalSession } from './portal-session.entity';

/** Maximum number of requests to the identity provider in one token renewal: discovery, and the refresh. */
const REQUESTS = 2;
/** Time by which a renewal's lease is longer than the time limits of its requests, for storing the tokens. */
const SPARE_SECONDS = 30;

/** Additional authenticated data, so that tokens copied into another row cannot be decrypted there. */
export function portalSessionContext({ orgId, id }: Pick<PortalSession, 'orgId' | 'id'>): string {
  return `portal-session:${orgId}:${id}`;
}

/** A portal session with its tokens. Times are milliseconds since 1970. */
export interface OpenPortalSession {
  readonly orgId: string;
  readonly id: string;
  readonly userId: string;
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  readonly usedAt: number;
  readonly renewAt: number;
  readonly expiresAt: number;
}

export type NewPortalSession = Pick<
  PortalSession,
  'orgId' | 'cookieHash' | 'userId' | 'createdAt' | 'renewAt' | 'expiresAt'
>;

/** Portal sessions in PostgreSQL. Nothing here waits for the identity provider. */
@Injectable()
export class PortalSessionRows {
  constructor(
    @InjectRepository(PortalSession) private readonly rows: Repository<PortalSession>,
    private readonly box: SecretBox,
    private readonly provider: IdentityProviderSettings,
  ) {}

  /** Stores a new session, and removes expired sessions. */
  async insert(session: NewPortalSession, tokens: ProviderTokens): Promise<void> {
    const { orgId, createdAt } = session;
    const id = randomUUID();
    await this.rows.delete({ orgId, expiresAt: LessThan(createdAt) });
    const secret = this.sealed({ orgId, id }, tokens);
    await this.rows.insert({ ...session, id, secret, usedAt: createdAt, lease: null, leaseUntil: null });
  }

  /** Returns undefined when there is no session, or when no key can open its tokens any more. */
  async find(cookieHash: Buffer): Promise<OpenPortalSession | undefined> {
    const row = await this.rows.findOneBy({ cookieHash });
    return row === null ? undefined : this.opened(row);
  }

  /** Records a change that a page requests. @returns whether the id of the change is new */
  async note({ id }: Pick<OpenPortalSession, 'id'>, request: string): Promise<boolean> {
    // The SELECT yields no row when the session has ended meanwhile, so nothing is recorded.
    const noted = await this.rows.query<unknown[]>(
      `INSERT INTO portal_requests (org_id, session_id, id) SELECT org_id, id, $2 FROM portal_sessions WHERE id = $1
       ON CONFLICT DO NOTHING RETURNING id`,
      [id, request],
    );
    return noted.length === 1;
  }

  async touch({ id }: Pick<OpenPortalSession, 'id'>, at: number): Promise<void> {
    await this.rows.update({ id }, { usedAt: new Date(at) });
  }

  /** @returns whether the session existed */
  async remove({ id }: Pick<OpenPortalSession, 'id'>): Promise<boolean> {
    return (await this.rows.delete({ id })).affected === 1;
  }

  /**
   * Acquires the lease to renew the tokens; undefined when another renewal holds the lease. If a gateway dies
   * during a renewal, other gateways wait until the lease ends. The lease lasts longer than the slowest
   * renewal. Otherwise a second renewal could use the same refresh token, and many providers then end the
   * sign-in.
   */
  async takeLease({ id }: Pick<OpenPortalSession, 'id'>): Promise<string | undefined> {
    const lease = randomUUID();
    const seconds = REQUESTS * this.provider.timeoutSeconds + SPARE_SECONDS;
    const [, taken] = await this.rows.query<[unknown[], number]>(
      `UPDATE portal_sessions SET lease = $2, lease_until = now() + $3 * interval '1 second'
       WHERE id = $1 AND (lease IS NULL OR lease_until < now())`,
      [id, lease, seconds],
    );
    return taken === 1 ? lease : undefined;
  }

  /**
   * Stores renewed tokens and releases the lease. Waits for the end of a short outage of the database,
   * because the former refresh token cannot be used again. Does nothing when another renewal has taken over
   * the lease, or when the session has ended.
   */
  async renew(
    session: Pick<OpenPortalSession, 'orgId' | 'id'>,
    lease: string,
    tokens: ProviderTokens,
    renewAt: number,
  ): Promise<void> {
    const secret = this.sealed(session, tokens);
    await repeatedInOutage(() =>
      this.rows.update(
        { id: session.id, lease },
        { secret, renewAt: new Date(renewAt), lease: null, leaseUntil: null },
      ),
    );
  }

  async giveUp({ id }: Pick<OpenPortalSession, 'id'>, lease: string): Promise<void> {
    await this.rows.update({ id, lease }, { lease: null, leaseUntil: null });
  }

  private sealed(
    session: Pick<PortalSession, 'orgId' | 'id'>,
    { accessToken, refreshToken }: ProviderTokens,
  ): Buffer {
    const tokens = { ACCESS: accessToken, ...(refreshToken === undefined ? {} : { REFRESH: refreshToken }) };
    return this.box.seal(tokens, portalSessionContext(session));
  }

  private opened(row: PortalSession): OpenPortalSession | undefined {
    try {
      const { ACCESS, REFRESH } = this.box.open(row.secret, portalSessionContext(row));
      const { orgId, id, userId, usedAt, renewAt, expiresAt } = row;
      return {
        orgId,
        id,
        userId,
        accessToken: ACCESS ?? '',
        refreshToken: REFRESH,
        usedAt: usedAt.getTime(),
        renewAt: renewAt.getTime(),
        expiresAt: expiresAt.getTime(),
      };
    } catch {
      return undefined;
    }
  }
}
