import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Principals } from '../../../identity/auth/users/principals';
import { Settings } from '../../../platform/config/settings';
import { ChangeFeed } from '../../../platform/database/feed/change-feed';
import { AppError } from '../../../kernel/app-error';
import { Clock } from '../../../kernel/async/clock';
import type { Principal } from '../../../kernel/principal';
import { Authorizations, type FoundAccess } from './authorizations';
import { aimOf } from '../protocol/requested-resource';
import { sha256 } from '../../../platform/http/pages/browser-secret';
import { entriesAtMost } from '../../../kernel/runtime/entries-at-most';

const CACHED_TOKENS = 10_000;

/**
 * Finds the user of an access token. Tokens are cached by their hash. The cache is cleared when the change
 * feed reports that authorizations changed.
 */
@Injectable()
export class AccessTokens {
  private readonly known = new LRUCache<string, FoundAccess>(entriesAtMost(CACHED_TOKENS));
  /**
   * Increases with every change notification. A row that was read before a change must not be cached after
   * the change.
   */
  private epoch = 0;

  constructor(
    private readonly authorizations: Authorizations,
    private readonly principals: Principals,
    private readonly settings: Settings,
    private readonly feed: ChangeFeed,
    private readonly clock: Clock,
  ) {
    const forget = (): void => {
      this.epoch += 1;
      this.known.clear();
    };
    feed.subscribe({
      changed: (table) => (table === 'authorizations' ? forget() : undefined),
      reset: forget,
    });
  }

  /** Returns the user of the token, with current data. @throws AppError `unauthenticated` */
  async identify(bearer: string, resource: string): Promise<Principal> {
    const access = this.settings.mcp.authorization === 'gateway' ? await this.find(bearer) : undefined;
    if (access === undefined) throw notValid('it is unknown, or was revoked');
    if (access.expiresAt.getTime() <= this.clock.now()) throw notValid('it has expired');
    if (aimOf(this.settings, resource) !== access.connection) throw notValid(placeOf(access));
    const person = await this.principals.current({ identityType: 'user', userId: access.userId });
    return { ...person, authorizationId: access.authorizationId };
  }

  private async find(bearer: string): Promise<FoundAccess | undefined> {
    const key = sha256(bearer).toString('base64');
    const known = this.feed.live ? this.known.get(key) : undefined;
    if (known !== undefined) return known;
    const { epoch } = this;
    const found = await this.authorizations.findAccess(bearer);
    if (found !== undefined && epoch === this.epoch && this.feed.live) this.known.set(key, found);
    return found;
  }
}

function placeOf({ connection }: FoundAccess): string {
  return connection === null
    ? 'it is good at the REST API only'
    : 'it is good at the MCP endpoint of its connection only';
}

function notValid(why: string): AppError {
  return new AppError('unauthenticated', `the access token is not valid: ${why}`);
}
