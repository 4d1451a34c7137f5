import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { FailedCredentials } from '../../auth/failed-credentials';
import { OrganizationsService } from '../../auth/organizations.service';
import { Principals } from '../../auth/principals';
import { Settings } from '../../config/settings';
import type { Change, AuditedRead } from '../../http/change';
import { AppError, type ErrorCode } from '../../kernel/app-error';
import type { Principal } from '../../kernel/principal';
import type { SessionFile } from '../rendering/session-file';
import { readSessionQuery } from '../rendering/session-query';
import { SessionReader } from '../session/session-reader';
import type { DownloadLinkBody, DownloadLinkView } from './download-link.dto';
import { DownloadLink } from './download-link.entity';
import type { Intent } from './intent';

const TYPE = 'sessions';
const LIFETIME = '5 minutes';
/** Of a token, what failures are counted by. */
const BEGINNING = 12;
const TOKEN_BYTES = 32;

/** What somebody who has a link brings, from where, and what for. */
export interface Visit {
  readonly sessionId: string;
  readonly token: unknown;
  readonly address: string;
  readonly intent: Intent;
}

interface Found {
  readonly link: DownloadLink;
  readonly maker: Principal;
  readonly file: SessionFile;
}

/** Links that a browser can follow, which sends no bearer token: single use, five minutes, in the maker's name. */
@Injectable()
export class DownloadLinksService {
  constructor(
    @InjectRepository(DownloadLink) private readonly links: Repository<DownloadLink>,
    private readonly sessions: SessionReader,
    private readonly principals: Principals,
    private readonly organizations: OrganizationsService,
    private readonly failures: FailedCredentials,
    private readonly settings: Settings,
  ) {}

  /** @throws AppError `not_found`; `forbidden` to those who may not read the recording. */
  async create(change: Change, sessionId: string, body: DownloadLinkBody): Promise<DownloadLinkView> {
    const { actor } = change;
    const options = { extension: 'txt', ...given(body) };
    await this.fileFor(actor, sessionId, options);
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const expireAt = await this.links.manager.transaction(async (db) => {
      await removeExpired(db, actor.orgId);
      const [row] = await db.query<{ expire_at: Date }[]>(
        `INSERT INTO download_links (org_id, token_hash, session_id, identity_type, user_id, options, expire_at)
         VALUES ($1, $2, $3, $4, $5, $6, now() + interval '${LIFETIME}') RETURNING expire_at`,
        [actor.orgId, sha256(token), sessionId, actor.identityType, actor.userId, options],
      );
      if (row === undefined) throw new Error('a row that was inserted was not returned');
      const after = { download_link: { ...options, expire_at: row.expire_at } };
      await change.record(db, { type: TYPE, id: sessionId, action: 'execute', before: null, after });
      return row.expire_at;
    });
    const { API_URL, API_PREFIX } = this.settings;
    const download_url = `${API_URL}${API_PREFIX}/sessions/${sessionId}/download?token=${token}`;
    return { download_url, expire_at: expireAt };
  }

  /**
   * The file of a link, which is spent by it; of those who take it at once, one gets it. A look leaves it as it is,
   * and so does whatever goes wrong before the file is on its way.
   * @throws AppError `not_found`, the same whatever is wrong; `too_many_requests` after too many wrong ones.
   */
  async open(read: AuditedRead, visit: Visit): Promise<SessionFile> {
    switch (visit.intent) {
      case 'preview':
        throw unusable();
      case 'look':
        return this.counting(visit, async () => (await this.find(visit)).file);
      case 'take':
        return this.counting(visit, () => this.take(read, visit));
    }
  }

  private async take(read: AuditedRead, visit: Visit): Promise<SessionFile> {
    const { link, maker, file } = await this.find(visit);
    await this.links.manager.transaction(async (db) => {
      if (!(await spend(db, link))) throw unusable();
      const after = { download: link.options };
      await read.record(db, maker, {
        type: TYPE,
        id: link.sessionId,
        action: 'execute',
        before: null,
        after,
      });
    });
    return file;
  }

  private async find({ sessionId, token }: Visit): Promise<Found> {
    if (typeof token !== 'string') throw unusable();
    const { id: orgId } = await this.organizations.defaultOrganization();
    const link = await this.links
      .createQueryBuilder('link')
      .where({ orgId, sessionId, tokenHash: sha256(token) })
      .andWhere('link.expire_at > now()')
      .getOne();
    if (link === null) throw unusable();
    try {
      // As they stand now: who was set inactive or lost the right since then reads nothing.
      const maker = await this.principals.current(link);
      return { link, maker, file: await this.fileFor(maker, sessionId, link.options) };
    } catch (error) {
      throw isRefusal(error) ? unusable() : error;
    }
  }

  private async fileFor(
    actor: Principal,
    id: string,
    options: Record<string, unknown>,
  ): Promise<SessionFile> {
    const answer = await this.sessions.read(actor, id, readSessionQuery(options));
    if (answer.kind !== 'file') throw new Error('a link without an extension was made');
    return answer.file;
  }

  /** Guessing is slow: what turns out unusable counts as a bad credential. */
  private async counting<T>({ address, sessionId, token }: Visit, work: () => Promise<T>): Promise<T> {
    const beginning = typeof token === 'string' ? token.slice(0, BEGINNING) : '';
    const attempt = { address, subject: `${sessionId} ${beginning}` };
    this.failures.check(attempt);
    try {
      return await work();
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') await this.failures.failed(attempt);
      throw error;
    }
  }
}

/** One DELETE: of two at once, the second finds nothing. */
async function spend(db: EntityManager, { orgId, tokenHash }: DownloadLink): Promise<boolean> {
  const { affected } = await db
    .createQueryBuilder()
    .delete()
    .from(DownloadLink)
    .where({ orgId, tokenHash })
    .andWhere('expire_at > now()')
    .execute();
  return affected === 1;
}

/** Skips what somebody else is removing: two who waited for each other would both fail. */
async function removeExpired(db: EntityManager, orgId: string): Promise<void> {
  await db.query(
    `DELETE FROM download_links WHERE token_hash IN (
       SELECT token_hash FROM download_links WHERE org_id = $1 AND expire_at <= now() FOR UPDATE SKIP LOCKED)`,
    [orgId],
  );
}

/** null says nothing, as everywhere in bodies. */
function given(body: DownloadLinkBody): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => (value ?? null) !== null));
}

const REFUSALS: ReadonlySet<ErrorCode> = new Set(['unauthenticated', 'forbidden', 'not_found']);

function isRefusal(error: unknown): boolean {
  return error instanceof AppError && REFUSALS.has(error.code);
}

/** Unknown, used, expired, of another session, or of somebody who may not read it any more: nobody learns which. */
function unusable(): AppError {
  return new AppError('not_found', 'this download link is unknown, used or expired; please make a new one');
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
