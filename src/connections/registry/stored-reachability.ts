import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LRUCache } from 'lru-cache';
import { type EntityManager, In, Repository } from 'typeorm';
import { ChangeFeed } from '../../platform/database/feed/change-feed';
import { TargetReachability } from '../../gate/ports/target-reachability';
import type { Target } from '../../gate/ports/target-directory';
import { ConnectionReachability } from './connection-reachability.entity';

/** Time for which a gateway does not write its unchanged result again, even if the stored result differs. */
const KNOWN_FOR_MS = 10_000;
const MOST_KNOWN = 10_000;

type Noted = Pick<Target, 'orgId' | 'id'>;

/** Stores a result. Writes nothing if a gateway stored the same result less than a minute ago. */
const NOTE = `
  INSERT INTO connection_reachability AS stored (org_id, connection_id, status, status_at)
  SELECT org_id, id, $3, now() FROM connections AS held
  WHERE org_id = $1 AND id = $2 AND NOT EXISTS (
    SELECT FROM connection_reachability
    WHERE org_id = $1 AND connection_id = $2 AND status = $3 AND status_at > now() - interval '1 minute')
  FOR KEY SHARE OF held
  ON CONFLICT (org_id, connection_id) DO UPDATE SET status = excluded.status, status_at = excluded.status_at
  WHERE stored.status <> excluded.status OR stored.status_at <= excluded.status_at - interval '1 minute'`;

/** Stores whether targets could be opened, and when. */
@Injectable()
export class StoredReachability extends TargetReachability {
  private readonly log = new Logger(StoredReachability.name);
  /** Running writes, at most one per connection, so that the last result is the one that stays. */
  private readonly writing = new Map<string, Promise<void>>();
  private readonly latest = new Map<string, boolean>();
  /** Results that were stored a moment ago, so that a busy connection does not need a query per script. */
  private readonly known = new LRUCache<string, { isReachable: boolean }>({
    max: MOST_KNOWN,
    ttl: KNOWN_FOR_MS,
  });

  constructor(
    @InjectRepository(ConnectionReachability) private readonly stored: Repository<ConnectionReachability>,
    private readonly feed: ChangeFeed,
  ) {
    super();
    feed.subscribe({
      // A change of a connection may change its target, and then deletes the stored result.
      changed: (table) => {
        if (table === 'connections') this.known.clear();
      },
      reset: () => this.known.clear(),
    });
  }

  noteOften(target: Noted, isReachable: boolean): Promise<void> {
    const isKnown = this.feed.live && !this.writing.has(target.id);
    if (isKnown && this.known.get(target.id)?.isReachable === isReachable) return Promise.resolve();
    return this.note(target, isReachable);
  }

  note(target: Noted, isReachable: boolean): Promise<void> {
    this.latest.set(target.id, isReachable);
    const running = this.writing.get(target.id);
    if (running !== undefined) return running;
    const begun = this.writeLatest(target);
    this.writing.set(target.id, begun);
    return begun;
  }

  /** Returns the stored results by connection id. Connections that were never tried are missing. */
  async of(
    db: EntityManager,
    orgId: string,
    ids: readonly string[],
  ): Promise<Map<string, ConnectionReachability>> {
    if (ids.length === 0) return new Map();
    const found = await db.findBy(ConnectionReachability, { orgId, connectionId: In([...ids]) });
    return new Map(found.map((one) => [one.connectionId, one]));
  }

  /** Deletes the result, because the connection now has another target, or none. */
  async forget(db: EntityManager, { orgId, id }: Noted): Promise<void> {
    await db.delete(ConnectionReachability, { orgId, connectionId: id });
  }

  private async writeLatest(target: Noted): Promise<void> {
    for (;;) {
      const isReachable = this.latest.get(target.id);
      this.latest.delete(target.id);
      if (isReachable === undefined) break;
      await this.write(target, isReachable);
    }
    this.writing.delete(target.id);
  }

  private async write({ orgId, id }: Noted, isReachable: boolean): Promise<void> {
    const noted = { isReachable };
    try {
      // Set before the query, so that a change of the connection during the query clears it again.
      this.known.set(id, noted);
      await this.stored.query(NOTE, [orgId, id, isReachable ? 'online' : 'offline']);
    } catch (error) {
      if (this.known.get(id) === noted) this.known.delete(id);
      this.log.warn({ err: error, connection: id }, 'The reachability of a connection could not be stored');
    }
  }
}
