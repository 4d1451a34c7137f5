import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { OrganizationsService } from '../../../identity/auth/organization/organizations.service';
import type { Principal } from '../../../kernel/principal';
import { DownloadLink } from './download-link.entity';

const LIFETIME = '5 minutes';
const TOKEN_BYTES = 32;

/** A new link with its token. The database stores only the token's SHA-256. */
export interface NewDownloadLink {
  readonly token: string;
  readonly expireAt: Date;
}

/** The table of download links. All times come from the clock of the database. */
@Injectable()
export class DownloadLinkStore {
  constructor(
    @InjectRepository(DownloadLink) private readonly links: Repository<DownloadLink>,
    private readonly organizations: OrganizationsService,
  ) {}

  transaction<T>(work: (db: EntityManager) => Promise<T>): Promise<T> {
    return this.links.manager.transaction(work);
  }

  /** Inserts a link of the principal, and removes expired links. */
  async create(
    db: EntityManager,
    maker: Principal,
    sessionId: string,
    options: Readonly<Record<string, unknown>>,
  ): Promise<NewDownloadLink> {
    await removeExpired(db, maker.orgId);
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const [row] = await db.query<{ expire_at: Date }[]>(
      `INSERT INTO download_links (org_id, token_hash, session_id, identity_type, user_id, options, expire_at)
       VALUES ($1, $2, $3, $4, $5, $6, now() + interval '${LIFETIME}') RETURNING expire_at`,
      [maker.orgId, sha256(token), sessionId, maker.identityType, maker.userId, options],
    );
    if (row === undefined) throw new Error('a row that was inserted was not returned');
    return { token, expireAt: row.expire_at };
  }

  /** Finds the link with this token, if it has neither expired nor been used. */
  async find(sessionId: string, token: string): Promise<DownloadLink | null> {
    const { id: orgId } = await this.organizations.defaultOrganization();
    return this.links
      .createQueryBuilder('link')
      .where({ orgId, sessionId, tokenHash: sha256(token) })
      .andWhere('link.expire_at > now()')
      .getOne();
  }

  /** Uses the link up with one DELETE, so that only one of two concurrent callers gets `true`. */
  async spend(db: EntityManager, { orgId, tokenHash }: DownloadLink): Promise<boolean> {
    const { affected } = await db
      .createQueryBuilder()
      .delete()
      .from(DownloadLink)
      .where({ orgId, tokenHash })
      .andWhere('expire_at > now()')
      .execute();
    return affected === 1;
  }
}

/** Deletes expired links. Skips rows that another transaction has locked, so that the two cannot deadlock. */
async function removeExpired(db: EntityManager, orgId: string): Promise<void> {
  await db.query(
    `DELETE FROM download_links WHERE token_hash IN (
       SELECT token_hash FROM download_links WHERE org_id = $1 AND expire_at <= now() FOR UPDATE SKIP LOCKED)`,
    [orgId],
  );
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
