import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Pool } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import { DatabaseSettings } from '../../config/groups';
import { messageOf } from '../../../kernel/app-error';
import { resultWithin } from '../../../kernel/async/timeout';
import { Meter } from '../../metrics/meter';
import { dataSourceOptions } from './data-source-options';
import { readPool } from '../feed/database-metrics';
import { databaseOutage } from '../faults/outage';
import { endsQuietly } from './ends-quietly';
import { queryPool } from './query-pool';
import { ReadGroups } from './read-groups';
import { throwExplained } from '../faults/schema-fault';
import { sqlStateOfError } from '../faults/sql-state';

/** Pauses in which a read waits for the replica. A replica that keeps up is a few milliseconds behind. */
const CATCH_UP_MS = [2, 5, 10, 20, 40];
/** Time after a fault of the replica for which all reads use the database. */
const AGAIN_AFTER_MS = 5_000;
/**
 * Maximum time for the replica to report its position. A replica that is frozen, or behind a cut network,
 * never answers.
 */
const ANSWER_WITHIN_MS = 3_000;
/** Time-out of each statement on the replica. Searches take the longest. */
const READ_WITHIN_MS = 30_000;

/**
 * Queries the position up to which the database has written its write-ahead log: all earlier commits are
 * before it. With `synchronous_commit` off, a transaction is visible before it is flushed, so the position of
 * the next record is used.
 */
const COMMITTED = `SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()
  ELSE pg_current_wal_flush_lsn() END::text AS lsn, left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) AS timeline`;
/**
 * Queries whether a replica has replayed the log up to a position. A promoted server is not a replica
 * anymore. A server that still follows a replaced database may be ahead of the new database, so the timeline
 * must match too.
 */
const HAS_REPLAYED = `SELECT pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= $1::pg_lsn
  AND (SELECT lpad(to_hex(timeline_id), 8, '0') FROM pg_control_checkpoint()) = lower($2) AS current`;

/** SQLSTATEs of statements that a standby cancels because they conflict with the replay of the log. */
const CONFLICTS = new Set(['40001', '40P01']);

/** A position in the write-ahead log. */
interface Position {
  readonly lsn: string;
  /** Timeline ID: eight hexadecimal digits. */
  readonly timeline: string;
}

/**
 * Chooses the server for lists and searches: the replica, if it has replayed everything that was committed
 * before the request arrived; otherwise the database. So callers see the effects of their own earlier
 * changes, through any gateway. A replica that lags causes no fault, but is not used.
 */
@Injectable()
export class ReplicaReads implements OnApplicationShutdown {
  private readonly log = new Logger(ReplicaReads.name);
  private readonly replica: DataSource | undefined;
  private opening: Promise<unknown> | undefined;
  /** Earliest time to try the replica again, by `performance.now()`; 0 if it answered the last time. */
  private awayUntil = 0;
  /** Whether the last read found that the replica lags. If so, further reads do not wait for it. */
  private lags = false;
  private readonly count;
  /** Reads the log position for concurrent requests in one statement, which starts after all of them. */
  private readonly positions = new ReadGroups<undefined, Position>({
    atMost: 1_000,
    atOnce: 4,
    queueOf: () => '',
    read: async (questions) => {
      const [position] = await queryPool<Position>(this.database, COMMITTED, []);
      return questions.map(() => position as Position);
    },
  });

  constructor(
    private readonly database: DataSource,
    settings: DatabaseSettings,
    private readonly meter: Meter,
  ) {
    this.count = meter.counter('gateway_replica_reads_total');
    if (settings.replicaUrl !== undefined) this.replica = replicaOf(database, settings.replicaUrl);
  }

  /**
   * Runs statements that only read. They may run twice: if the replica fails, they run on the database.
   * @throws errors of the work, except an outage of the replica, or a conflict with its replay
   */
  async read<T>(work: (db: EntityManager) => Promise<T>): Promise<T> {
    const { replica } = this;
    if (replica === undefined) return work(this.database.manager);
    const now = performance.now();
    if (now < this.awayUntil) return this.instead('away', work);
    // This read tests whether the replica is back. Meanwhile, other reads use the database, so that they do
    // not wait.
    if (this.awayUntil > 0) this.awayUntil = now + AGAIN_AFTER_MS;
    const position = await this.positions.ask(undefined);
    try {
      if (!(await this.isCurrent(replica, position))) return await this.instead('behind', work);
      const answer = await work(replica.manager);
      this.count.add({ read: 'replica' });
      return answer;
    } catch (error) {
      if (error instanceof SilentReplica || databaseOutage(error) !== undefined) this.isAway(error);
      else if (!CONFLICTS.has(sqlStateOfError(error) ?? ''))
        return await throwExplained(this.database, error);
      return this.instead('away', work);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.replica?.isInitialized === true) await this.replica.destroy();
  }

  private instead<T>(read: 'behind' | 'away', work: (db: EntityManager) => Promise<T>): Promise<T> {
    this.count.add({ read });
    return work(this.database.manager);
  }

  /** Whether the replica has replayed up to the position. @throws SilentReplica if no answer comes in time */
  private async isCurrent(replica: DataSource, position: Position): Promise<boolean> {
    const isCurrent = await resultWithin(this.catchesUp(replica, position), ANSWER_WITHIN_MS);
    if (isCurrent === undefined) throw new SilentReplica(`it did not answer within ${ANSWER_WITHIN_MS} ms`);
    if (this.awayUntil > 0) this.log.log('The replica answers again');
    this.awayUntil = 0;
    return isCurrent;
  }

  /** Whether the replica has replayed up to the position. Waits briefly, unless it lagged last time. */
  private async catchesUp(replica: DataSource, position: Position): Promise<boolean> {
    await this.open(replica);
    for (const wait of this.lags ? [] : CATCH_UP_MS) {
      if (await hasReplayed(replica, position)) return true;
      await delay(wait);
    }
    const isCurrent = await hasReplayed(replica, position);
    if (isCurrent === this.lags)
      this.log.log(isCurrent ? 'The replica has caught up' : 'The replica lags: the database answers');
    this.lags = !isCurrent;
    return isCurrent;
  }

  private async open(replica: DataSource): Promise<void> {
    if (replica.isInitialized) return;
    this.opening ??= replica.initialize().finally(() => (this.opening = undefined));
    await this.opening;
    readPool(this.meter, 'replica', poolOf(replica));
  }

  private isAway(error: unknown): void {
    const isNew = this.awayUntil === 0;
    this.awayUntil = performance.now() + AGAIN_AFTER_MS;
    if (isNew) this.log.warn(`The replica cannot be used, the database answers: ${messageOf(error)}`);
  }
}

class SilentReplica extends Error {}

/** Creates the data source of the replica, with the entities, types and limits of the database's. */
function replicaOf({ options }: DataSource, url: string): DataSource {
  const { entities, extra, poolSize } = options as Extract<DataSource['options'], { type: 'postgres' }>;
  const replica = new DataSource({
    ...dataSourceOptions(url, poolSize),
    applicationName: 'access-gateway lists',
    migrations: [],
    entities: entities ?? [],
    extra: { ...(extra as object), query_timeout: READ_WITHIN_MS },
  });
  return endsQuietly(replica);
}

async function hasReplayed(replica: DataSource, { lsn, timeline }: Position): Promise<boolean> {
  const [row] = await queryPool<{ current: boolean | null }>(replica, HAS_REPLAYED, [lsn, timeline]);
  return row?.current === true;
}

function poolOf({ driver }: DataSource): Pool {
  return (driver as PostgresDriver).master as Pool;
}
