import { Injectable } from '@nestjs/common';
import { ChangeFeed } from '../../../platform/database/feed/change-feed';
import { FeedCache } from '../../../platform/database/feed/feed-cache';
import { Gate } from '../../../gate/gate';
import type { Target } from '../../../gate/ports/target-directory';
import type { MaybePromise } from '../../../kernel/async/maybe-promise';
import type { Principal } from '../../../kernel/principal';

/**
 * Tables whose changes clear the cache, because they determine which connections a principal may open, and
 * how. No table is needed for a person's groups, because a session ends when its person loses a group.
 */
const TABLES = ['connections', 'organizations'];

/**
 * Current state of the connections that have open MCP sessions. A changed policy applies to the next message.
 */
@Injectable()
export class CurrentTargets {
  private readonly targets: FeedCache<Target>;

  constructor(
    private readonly gate: Gate,
    feed: ChangeFeed,
  ) {
    this.targets = new FeedCache(feed, 'mcp-targets', TABLES);
  }

  /** @throws AppError `not_found` when the connection was deleted or is no longer open to the principal */
  of(principal: Principal, id: string): MaybePromise<Target> {
    const key = JSON.stringify([principal.userId, principal.groups, id]);
    return this.targets.of(key, () => this.gate.target(principal, id));
  }
}

/** The connection of one client's MCP session. It is read again before each message. */
export class VisitTarget {
  constructor(
    private readonly principal: Principal,
    /** The connection's state at the last message. */
    public now: Target,
    private readonly targets: CurrentTargets,
  ) {}

  /** @throws AppError `not_found` */
  async refresh(): Promise<void> {
    this.now = await this.targets.of(this.principal, this.now.id);
  }
}
