import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Client, type QueryResult, type QueryResultRow } from 'pg';
import { DatabaseSettings } from '../config/groups';
import { messageOf } from '../kernel/app-error';

const RECONNECT_MS = 500;
/** A half-open connection hears nothing and says nothing: it must answer this often, and this fast. */
const PING_EVERY_MS = 2_000;
const ANSWER_WITHIN_MS = 2_000;

/** First key of the advisory lock that each gateway holds for as long as it lives; the second is its id's hash. */
const PRESENCE_LOCK = 18_247;

/** A cache that can be told that something it holds is stale. */
export interface ChangeListener {
  /** A row of `table` changed or went; `id` is what the table's trigger names it by. */
  changed(table: string, id: string): void;
  /** Changes may have been missed: forget everything. Called after every (re)connect and when the feed is lost. */
  reset(): void;
}

/**
 * Hears of changes that any gateway, or a person with psql, makes to the database (LISTEN/NOTIFY), so that
 * caches of several gateways agree within a second.
 *
 * While the feed is down `live` is false and nothing may be answered from a cache: a gateway that cannot
 * hear of a revoked right must look it up.
 */
@Injectable()
export class ChangeFeed implements OnModuleInit, OnApplicationShutdown {
  /** On which the triggers of the schema tell that a row changed, and gateways tell each other things: `<table>:<id>`. */
  static readonly CHANNEL = 'gateway_changes';
  private readonly log = new Logger(ChangeFeed.name);
  private readonly listeners = new Set<ChangeListener>();
  private client: Client | undefined;
  private retry: NodeJS.Timeout | undefined;
  private ping: NodeJS.Timeout | undefined;
  private stopped = false;
  /** This gateway, to all others; a new one at each start. */
  readonly gatewayId = randomUUID();
  live = false;
  /** The last query on the connection: a client of pg takes one at a time. */
  private lastQuery: Promise<unknown> = Promise.resolve();
  /** By how many milliseconds the clock of the database is ahead of this machine's, as it was looked at last. */
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

  subscribe(listener: ChangeListener): void {
    this.listeners.add(listener);
  }

  /**
   * Milliseconds since the epoch by the clock of the database, which all gateways share; to half of what a round trip takes. It
   * is looked at whenever the feed pings.
   */
  databaseNow(): number {
    return Date.now() + this.aheadMs;
  }

  /**
   * Resolves when the listeners here know of every change that was committed before the call. At once while the feed is
   * down: nothing is answered from a cache then.
   */
  async caughtUp(): Promise<void> {
    const { client } = this;
    if (client === undefined || !this.live) return;
    // PostgreSQL sends a listening connection what it was notified of before it is ready for the next query.
    await this.query(client, 'SELECT 1').catch((error: unknown) => this.lost(client, error));
  }

  /** Whether that gateway still holds its presence lock. @throws while this one's own connection is down. */
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
      // The server drops the lock with this connection, so a gateway that was killed shows at once.
      await client.query('SELECT pg_advisory_lock_shared($1, hashtext($2))', [PRESENCE_LOCK, this.gatewayId]);
      await this.lookAtClock(client);
      // Lost in the same breath, the feed must not pass for live.
      if (this.client !== client) return;
      this.live = true;
      this.resetAll();
      this.ping = setInterval(() => {
        this.lookAtClock(client).catch((error: unknown) => this.lost(client, error));
      }, PING_EVERY_MS);
    } catch (error) {
      this.lost(client, error);
    }
  }

  /** Also tells whether the connection lives. */
  private async lookAtClock(client: Client): Promise<void> {
    const asked = Date.now();
    const { rows } = await this.query<{ now: Date }>(client, 'SELECT clock_timestamp() AS now');
    const answered = Date.now();
    const [row] = rows;
    // A clock that was set between the two says nothing; the next look does.
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
    this.log.warn(`The change feed was lost, caches are off until it is back: ${messageOf(error)}`);
    this.lose();
    client.end().catch(() => undefined);
    this.retry = setTimeout(() => void this.connect(), RECONNECT_MS);
  }

  private lose(): void {
    clearInterval(this.ping);
    this.client = undefined;
    this.live = false;
    this.resetAll();
  }

  private resetAll(): void {
    for (const listener of this.listeners) listener.reset();
  }

  private dispatch(payload: string): void {
    const separator = payload.indexOf(':');
    for (const listener of this.listeners) {
      listener.changed(payload.slice(0, separator), payload.slice(separator + 1));
    }
  }
}
