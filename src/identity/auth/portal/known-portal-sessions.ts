import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ChangeFeed } from '../../../platform/database/feed/change-feed';
import { entriesAtMost } from '../../../kernel/runtime/entries-at-most';
import type { ProviderTokens } from '../provider/identity-provider.client';
import { type NewPortalSession, type OpenPortalSession, PortalSessionRows } from './portal-session-rows';

const CACHED = 10_000;

/**
 * Caches the portal sessions of recent requests while the change feed is up, so that a request needs no
 * query.
 */
@Injectable()
export class KnownPortalSessions {
  /** Sessions by the hash of their cookie, in base64. */
  private readonly known = new LRUCache<string, OpenPortalSession>(entriesAtMost(CACHED));
  /**
   * Increases with every change notification. A row that was read before a
   * change must not be cached after it.
   */
  private epoch = 0;

  constructor(
    private readonly rows: PortalSessionRows,
    private readonly feed: ChangeFeed,
  ) {
    feed.subscribe({
      changed: (table, id) => {
        if (table === 'portal_sessions') this.forget((session) => id === '' || session.id === id);
      },
      reset: () => this.forget(() => true),
    });
  }

  insert(session: NewPortalSession, tokens: ProviderTokens): Promise<void> {
    return this.rows.insert(session, tokens);
  }

  /** Reads the current session from the database. */
  read(hash: Buffer): Promise<OpenPortalSession | undefined> {
    return this.rows.find(hash);
  }

  async find(hash: Buffer): Promise<OpenPortalSession | undefined> {
    const key = hash.toString('base64');
    const known = this.feed.live ? this.known.get(key) : undefined;
    if (known !== undefined) return known;
    const { epoch } = this;
    const found = await this.rows.find(hash);
    if (found !== undefined && epoch === this.epoch && this.feed.live) this.known.set(key, found);
    return found;
  }

  note(session: OpenPortalSession, request: string): Promise<boolean> {
    return this.rows.note(session, request);
  }

  /** Records that the session is in use. @param at milliseconds since 1970 */
  async touch(session: OpenPortalSession, hash: Buffer, at: number): Promise<void> {
    const key = hash.toString('base64');
    const known = this.known.get(key);
    // Updates the cache before the row, so that concurrent requests do not write the row too.
    if (known?.id === session.id) this.known.set(key, { ...known, usedAt: at });
    await this.rows.touch(session, at);
  }

  /** Ends the session: at this gateway before the promise resolves, at other gateways within a second. */
  async remove(session: OpenPortalSession): Promise<void> {
    await this.rows.remove(session);
    this.forget(({ id }) => id === session.id);
  }

  private forget(isConcerned: (session: OpenPortalSession) => boolean): void {
    this.epoch += 1;
    for (const [key, session] of this.known.entries()) if (isConcerned(session)) this.known.delete(key);
  }
}
