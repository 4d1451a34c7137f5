import { Injectable } from '@nestjs/common';
import { ChangeFeed } from '../database/change-feed';
import { FeedCache } from '../database/feed-cache';
import { type Target, TargetDirectory, type Verb } from '../gate/ports/target-directory';
import type { Principal } from '../kernel/principal';
import { targetKind } from '../targets/kinds';
import type { Connection } from './connection.entity';
import { ConnectionsService } from './connections.service';

/** Connections that are kept in memory, with their sealed secrets: some kilobytes each. */
const MOST_KEPT = 2_000;

/** What there is by a name or an id. */
interface Found {
  readonly target?: Target;
}

/**
 * Targets are the connections that admins stored. Each script and each client asks for one, so they are cached while the change
 * feed is up.
 */
@Injectable()
export class StoredTargets extends TargetDirectory {
  private readonly found: FeedCache<Found>;

  constructor(
    private readonly connections: ConnectionsService,
    feed: ChangeFeed,
  ) {
    super();
    this.found = new FeedCache(feed, 'targets', ['connections'], MOST_KEPT);
  }

  async find(principal: Principal, nameOrId: string): Promise<Target | undefined> {
    const target = await this.known(principal.orgId, nameOrId);
    // Asked in any case: the time of the answer must not tell whether there is such a connection.
    const isOpen = await this.connections.isOpenTo(principal, target?.accessGroups ?? []);
    return isOpen ? target : undefined;
  }

  async known(orgId: string, nameOrId: string): Promise<Target | undefined> {
    const found = this.found.of(JSON.stringify([orgId, nameOrId]), async () => {
      const connection = await this.connections.findByNameOrId(orgId, nameOrId);
      return connection === null ? {} : { target: this.asTarget(connection) };
    });
    return (await found).target;
  }

  private asTarget(connection: Connection): Target {
    const kind = targetKind(connection.subtype);
    const enabledVerbs: Verb[] = [];
    if (connection.accessModeExec === 'enabled') enabledVerbs.push('exec');
    if (connection.accessModeConnect === 'enabled') enabledVerbs.push('connect');
    return {
      id: connection.id,
      orgId: connection.orgId,
      name: connection.name,
      type: connection.type,
      subtype: connection.subtype,
      language: kind?.language ?? 'text',
      clientProtocol: kind?.clientProtocol ?? null,
      resourceName: connection.resourceName,
      tags: connection.tags,
      attributes: connection.attributes,
      accessGroups: connection.accessGroups,
      enabledVerbs,
      showsSchema: connection.accessSchema === 'enabled',
      recording: {
        scope: connection.recording,
        mode: connection.recordingMode,
        retentionDays: connection.retentionDays,
        results: connection.recordResults,
      },
      mcp: connection.mcpPolicy,
      openSecret: () => this.connections.openSecret(connection),
    };
  }
}
