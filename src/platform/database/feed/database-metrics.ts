import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import { Meter } from '../../metrics/meter';
import { METRICS } from '../../metrics/table';
import { ChangeFeed } from './change-feed';

/** Metrics of the connections to the database. */
@Injectable()
export class DatabaseMetrics {
  constructor(meter: Meter, { driver }: DataSource, feed: ChangeFeed) {
    readPool(meter, 'main', (driver as PostgresDriver).master as Pool);
    for (const cache of METRICS.gateway_cache_lookups_total.labels.cache) {
      const ofCache = 'gateway_cache_lookups_total';
      meter.read(ofCache, { cache, result: 'hit' }, () => feed.lookupsOf(cache, 'hits'));
      meter.read(ofCache, { cache, result: 'miss' }, () => feed.lookupsOf(cache, 'misses'));
    }
    meter.read('gateway_change_feed_up', {}, () => Number(feed.live));
    meter.read('gateway_change_feed_losses_total', {}, () => feed.losses);
    meter.read('gateway_change_feed_changes_total', {}, () => feed.changes);
  }
}

/** Registers the metrics of a connection pool. */
export function readPool(meter: Meter, pool: 'main' | 'recorder' | 'replica', connections: Pool): void {
  const { options } = connections;
  meter.read('gateway_database_pool_connections', { pool, state: 'idle' }, () => connections.idleCount);
  meter.read(
    'gateway_database_pool_connections',
    { pool, state: 'busy' },
    () => connections.totalCount - connections.idleCount,
  );
  meter.read('gateway_database_pool_limit', { pool }, () => options.max);
  meter.read('gateway_database_pool_waiting', { pool }, () => connections.waitingCount);
}
