import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Client, type QueryResult, type QueryResultRow } from 'pg';
import { DatabaseSettings } from '../../config/groups';
import { messageOf } from '../../../kernel/app-error';
import { PeriodicTask } from '../../../kernel/async/periodic-task';
import type { LabelsOf } from '../../metrics/table';

const RECONNECT_MS = 500;
/**
 * Interval of the pings, and the time limit for each answer. Pings are needed because a half-open connection
 * causes no error.
 */
const PING_EVERY_MS = 2_000;
const ANSWER_WITHIN_MS = 2_000;

/**
 * First key of the advisory lock that each gateway holds while it runs. The second key is the hash of its id.
 */
const PRESENCE_LOCK = 18_247;

/** A cache that gets a notice when its entries become stale. */
export interface ChangeListener {
  /**
   * A row of `table` changed or was deleted; `id` is the key that the table's trigger sends. An empty `id`:
   * the whole table changed (TRUNCATE).
   */
  changed(table: string, id: string): void;
  /**
   * Drops all entries, because changes may have been missed. Called after every (re)connect and when the feed
   * is lost.
   */
  reset(): void;
  /** Counts of the cache's hits and misses: for metrics. */
  readonly lookups?: CacheLookups;
}

export interface CacheLookups {
  readonly cache: CacheName;
  hits: number;
  misses: number;
}

export type CacheName = LabelsOf<'gateway_cache_lookups_total'>['cache'];

/**
 * Receives changes that any gateway, or a person with psql, makes to the database (LISTEN/NOTIFY), so that
 * the caches of several gateways agree within a second.
 *
 * While the feed is down, `live` is false and nothing may be answered from a cache. A gateway that does not
 * receive changes must query the database, because a right may have been revoked.
 */
@Injectable()
export class ChangeFeed implements OnModuleInit, OnApplicationShutdown {
  /**
   * Channel on which triggers announce changed rows, and gateways send each other messages: `<table>:<id>`.
   */
  static readonly CHANNEL = 'gateway_changes';
  private readonly log = new Logger(ChangeFeed.name);
  private readonly listeners = new Set<ChangeListener>();
  private client: Client | undefined;
  private retry: NodeJS.Timeout | undefined;
  private ping: PeriodicTask | undefined;
  private stopped = false;
  /** Identifies this gateway to other gateways; new at each start. */
  readonly gatewayId = randomUUID();
  live = false;
  /** `losses`: number of lost connections since the start. `changes`: number of notifications. */
  losses = 0;
  changes = 0;
  /** The last query on the connection. The next query waits for it: a client of pg runs one at a time. */
  private lastQuery: Promise<unknown> = Promise.resolve();
  /** Result of the next query for callers of `caughtUp`, which has not been sent yet. */
  private nextLook: Promise<void> | undefined;
  /** Milliseconds by which the database's clock was ahead of this machine's clock at the last ping. */
  private aheadMs = 0;

  constructor(private readonly settings: DatabaseSettings) {}

  async onModuleInit(): Promise<void> {
    await this.connect();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.retry);
    const client = this.client;
    this.lose();
    await client?.end().catch(() => undefined);
  }

  /** Hits or misses, summed over all caches with this name. */
  lookupsOf(cache: CacheName, result: 'hits' | 'misses'): number {
    let sum = 0;
    for (const { lookups } of this.listeners) if (lookups?.cache === cache) sum += lookups[result];
    return sum;
  }

  subscribe(listener: ChangeListener): void {
    this.listeners.add(listener);
  }

  /**
   * Milliseconds since the epoch by the database's clock, which all gateways share; accurate to half a round
   * trip. The clock is read with each ping.
   */
  databaseNow(): number {
    return Date.now() + this.aheadMs;
  }

  /**
   * Resolves when the listeners of this process have received every change committed before the call.
   * Resolves at once while the feed is down, because nothing is answered from a cache then.
   */
  async caughtUp(): Promise<void> {
    const { client } = this;
    if (client === undefined || !this.live) return;
    this.nextLook ??= this.look(client);
    await this.nextLook;
  }

  /**
   * Runs one query for all callers of `caughtUp` that come before the query is sent. The query is sent at the
   * end of the turn of the event loop, after the previous query has ended.
   */
  private async look(client: Client): Promise<void> {
    await Promise.all([this.lastQuery, turn()]);
    this.nextLook = undefined;
    // PostgreSQL sends pending notifications before `ReadyForQuery`, which ends this query.
    await this.query(client, 'SELECT 1').catch((error: unknown) => this.lost(client, error));
  }

  /** Whether another gateway still runs and holds its advisory lock. @throws while this feed is down. */
  async isAlive(gatewayId: string): Promise<boolean> {
    if (this.client === undefined || !this.live) throw new Error('the change feed is down');
    const { rows } = await this.query<{ free: boolean }>(
      this.client,
      'SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS free',
      [PRESENCE_LOCK, gatewayId],
    );
    return rows[0]?.free !== true;
  }

  private async connect(): Promise<void> {
    const client = new Client({
      connectionString: this.settings.url,
      application_name: 'access-gateway changes',
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: 5_000,
      query_timeout: ANSWER_WITHIN_MS,
    });
    this.client = client;
    this.lastQuery = Promise.resolve();
    client.on('error', (error) => this.lost(client, error));
    client.on('end', () => this.lost(client, new Error('connection ended')));
    client.on('notification', (note) => this.dispatch(note.payload ?? ''));
    try {
      await client.connect();
      await client.query(`LISTEN ${ChangeFeed.CHANNEL}`);
      // The server releases the lock when the connection ends, so a killed gateway is noticed at once.
      await client.query('SELECT pg_advisory_lock_shared($1, hashtext($2))', [PRESENCE_LOCK, this.gatewayId]);
      await this.lookAtClock(client);
      // The connection may have been lost meanwhile; then the feed is not live.
      if (this.client !== client) return;
      this.live = true;
      this.resetAll();
      this.ping = new PeriodicTask({
        everyMs: PING_EVERY_MS,
        work: () => this.lookAtClock(client),
        onError: (message) => this.lost(client, message),
      });
      this.ping.start();
    } catch (error) {
      this.lost(client, error);
    }
  }

  /** Reads the database's clock, and checks that the connection is alive. */
  private async lookAtClock(client: Client): Promise<void> {
    const asked = Date.now();
    const { rows } = await this.query<{ now: Date }>(client, 'SELECT clock_timestamp() AS now');
    const answered = Date.now();
    const [row] = rows;
    // If a clock was changed during the query, the result is ignored until the next ping.
    if (row === undefined || answered < asked || answered - asked > ANSWER_WITHIN_MS) return;
    this.aheadMs = row.now.getTime() - (asked + answered) / 2;
  }

  private query<T extends QueryResultRow>(
    client: Client,
    sql: string,
    values: unknown[] = [],
  ): Promise<QueryResult<T>> {
    const asked = this.lastQuery.then(() => client.query<T>(sql, values));
    this.lastQuery = asked.catch(() => undefined);
    return asked;
  }

  private lost(client: Client, error: unknown): void {
    if (this.client !== client || this.stopped) return;
    this.losses += 1;
    this.log.warn(`The change feed was lost, caches are off until it is back: ${messageOf(error)}`);
    this.lose();
    client.end().catch(() => undefined);
    this.retry = setTimeout(() => void this.connect(), RECONNECT_MS);
  }

  private lose(): void {
    void this.ping?.stop();
    this.client = undefined;
    this.live = false;
    this.resetAll();
  }

  private resetAll(): void {
    for (const listener of this.listeners) listener.reset();
  }

  private dispatch(payload: string): void {
    this.changes += 1;
    const separator = payload.indexOf(':');
    for (const listener of this.listeners) {
      listener.changed(payload.slice(0, separator), payload.slice(separator + 1));
    }
  }
}
