import { Injectable } from '@nestjs/common';
import { FailedCredentials } from '../../../identity/auth/tokens/failed-credentials';
import { Principals } from '../../../identity/auth/users/principals';
import { HttpSettings } from '../../../platform/config/groups';
import type { AuditedRead, Change } from '../../../platform/http/routes/change';
import { AppError, type ErrorCode } from '../../../kernel/app-error';
import { begun } from '../../../kernel/async/begun';
import type { Principal } from '../../../kernel/principal';
import type { SessionFile } from '../rendering/session-file';
import { readingOptions } from '../rendering/session-query';
import { SessionReader } from '../session/session-reader';
import { DownloadLinkStore } from './download-link-store';
import type { DownloadLinkBody, DownloadLinkView } from './download-link.dto';
import type { DownloadLink } from './download-link.entity';
import type { Intent } from './intent';

const TYPE = 'sessions';
/** Length of a token's prefix in characters. Failed attempts are counted for each prefix. */
const COUNTED_CHARACTERS = 12;

/** A request to the address of a download link. */
export interface LinkRequest {
  readonly sessionId: string;
  /** Token from the query; maybe not a string. */
  readonly token: unknown;
  readonly address: string;
  readonly intent: Intent;
}

interface FoundLink {
  readonly link: DownloadLink;
  readonly maker: Principal;
  readonly file: SessionFile;
}

/**
 * Download links for browsers, which send no bearer token. A link works once, within five minutes, in the
 * name of its maker.
 */
@Injectable()
export class DownloadLinksService {
  constructor(
    private readonly links: DownloadLinkStore,
    private readonly sessions: SessionReader,
    private readonly principals: Principals,
    private readonly failures: FailedCredentials,
    private readonly settings: HttpSettings,
  ) {}

  /** @throws AppError `not_found`; `forbidden` if the principal may not read the recording. */
  async create(change: Change, sessionId: string, body: DownloadLinkBody): Promise<DownloadLinkView> {
    const { actor } = change;
    const options = { extension: 'txt', ...given(body) };
    await this.fileFor(actor, sessionId, options);
    const { token, expireAt } = await this.links.transaction(async (db) => {
      const link = await this.links.create(db, actor, sessionId, options);
      const after = { download_link: { ...options, expire_at: link.expireAt } };
      await change.record(db, { type: TYPE, id: sessionId, action: 'execute', before: null, after });
      return link;
    });
    const { apiUrl, apiPrefix } = this.settings;
    const download_url = `${apiUrl}${apiPrefix}/sessions/${sessionId}/download?token=${token}`;
    return { download_url, expire_at: expireAt };
  }

  /**
   * Returns the file of a link. A download uses the link up. A HEAD request, a preview, and a fault before
   * the file is sent do not use it up.
   * @throws AppError `not_found` for every unusable link, whatever the reason;
   * `too_many_requests` after too many wrong tokens.
   */
  async open(read: AuditedRead, request: LinkRequest): Promise<SessionFile> {
    switch (request.intent) {
      case 'preview':
        throw unusable();
      case 'head':
        return this.countingFailures(request, async () => (await this.find(request)).file);
      case 'download':
        return this.countingFailures(request, () => this.download(read, request));
    }
  }

  private async download(read: AuditedRead, request: LinkRequest): Promise<SessionFile> {
    const { link, maker, file } = await this.find(request);
    const content = await begun(file.content);
    try {
      await this.spend(read, link, maker);
    } catch (error) {
      await content.return(undefined);
      throw error;
    }
    return { ...file, content };
  }

  private spend(read: AuditedRead, link: DownloadLink, maker: Principal): Promise<void> {
    return this.links.transaction(async (db) => {
      if (!(await this.links.spend(db, link))) throw unusable();
      const after = { download: link.options };
      await read.record(db, maker, {
        type: TYPE,
        id: link.sessionId,
        action: 'execute',
        before: null,
        after,
      });
    });
  }

  private async find({ sessionId, token }: LinkRequest): Promise<FoundLink> {
    if (typeof token !== 'string') throw unusable();
    const link = await this.links.find(sessionId, token);
    if (link === null) throw unusable();
    try {
      // Checks the maker's current rights: a maker who was deactivated or lost the right gets no file.
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
    const answer = await this.sessions.read(actor, id, readingOptions(options));
    if (answer.kind !== 'file') throw new Error('a link without an extension was made');
    return answer.file;
  }

  /** Runs `work`. Counts an unusable token as a failed credential, to slow down guessing. */
  private async countingFailures<T>(
    { address, sessionId, token }: LinkRequest,
    work: () => Promise<T>,
  ): Promise<T> {
    const beginning = typeof token === 'string' ? token.slice(0, COUNTED_CHARACTERS) : '';
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

/** Returns the fields of the body that have a value. */
function given(body: DownloadLinkBody): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => (value ?? null) !== null));
}

const REFUSALS: ReadonlySet<ErrorCode> = new Set(['unauthenticated', 'forbidden', 'not_found']);

function isRefusal(error: unknown): boolean {
  return error instanceof AppError && REFUSALS.has(error.code);
}

/**
 * Returns the same error for unknown, used, expired and foreign links, and for makers without the right, so
 * that a guesser learns nothing.
 */
function unusable(): AppError {
  return new AppError('not_found', 'this download link is unknown, used or expired; please make a new one');
}
