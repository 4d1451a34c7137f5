import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LRUCache } from 'lru-cache';
import { Repository } from 'typeorm';
import { ChangeFeed } from '../../platform/database/feed/change-feed';
import type { Target } from '../../gate/ports/target-directory';
import { McpTool } from './tool.entity';

/** Maximum number of cached tools of all connections. Each takes about 300 bytes. */
const TOOLS = 100_000;

/** The fingerprints that the registry stores for one tool of an MCP server. */
export interface KnownTool {
  /** Fingerprint of the definition in the last list that the server sent. */
  readonly fingerprint: string;
  /** Fingerprint of the definition that was accepted; null if none was. */
  readonly accepted: string | null;
}

export type KnownTools = ReadonlyMap<string, KnownTool>;

/** Caches the fingerprints of the tools of connections, while the change feed is up. */
@Injectable()
export class RememberedTools {
  private readonly tools = new LRUCache<string, KnownTools>({
    maxSize: TOOLS,
    sizeCalculation: ({ size }) => size + 1,
  });
  /** Increases with every change. Rows that were read before a change must not be cached after the change. */
  private epoch = 0;

  constructor(
    @InjectRepository(McpTool) private readonly stored: Repository<McpTool>,
    private readonly feed: ChangeFeed,
  ) {
    feed.subscribe({
      changed: (table, id) => {
        if (table === 'mcp_tools') this.forget(id);
      },
      reset: () => {
        this.epoch += 1;
        this.tools.clear();
      },
    });
  }

  /** Returns the tools of a connection by name. Does not use the cache while the change feed is down. */
  of({ orgId, id }: Pick<Target, 'orgId' | 'id'>): KnownTools | Promise<KnownTools> {
    return (this.feed.live ? this.tools.get(id) : undefined) ?? this.read(orgId, id);
  }

  /** @param connectionId empty for all connections. */
  forget(connectionId: string): void {
    this.epoch += 1;
    if (connectionId === '') this.tools.clear();
    else this.tools.delete(connectionId);
  }

  private async read(orgId: string, connectionId: string): Promise<KnownTools> {
    const { epoch } = this;
    const rows = await this.stored.find({
      select: { name: true, fingerprint: true, acceptedFingerprint: true },
      where: { orgId, connectionId },
    });
    const tools = new Map(
      rows.map((row) => [row.name, { fingerprint: row.fingerprint, accepted: row.acceptedFingerprint }]),
    );
    if (epoch === this.epoch && this.feed.live) this.tools.set(connectionId, tools);
    return tools;
  }
}
