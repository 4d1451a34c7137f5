import type { MetricTable } from '../definition/definition';

const POOLS = ['main', 'recorder', 'replica'] as const;

export const databaseMetrics = {
  gateway_database_up: {
    kind: 'gauge',
    of: 'gateway',
    help: '1 if the database answered the last questions of a scrape in time; they are asked at most every 10 s. 0: metrics that are read from the database are missing.',
  },
  gateway_database_pool_connections: {
    kind: 'gauge',
    of: 'worker',
    help: 'Connections to the database. `recorder` are those with which recordings are stored, `replica` those to its standby.',
    labels: { pool: POOLS, state: ['idle', 'busy'] },
  },
  gateway_database_pool_limit: {
    kind: 'gauge',
    of: 'worker',
    help: 'Largest number of these connections.',
    labels: { pool: POOLS },
  },
  gateway_database_pool_waiting: {
    kind: 'gauge',
    of: 'worker',
    help: 'Callers that wait for one of these connections.',
    labels: { pool: POOLS },
  },
  gateway_replica_reads_total: {
    kind: 'counter',
    of: 'worker',
    help: 'Lists and searches, where there is a replica: read from it, or from the database because the replica lagged (`behind`) or did not answer (`away`).',
    labels: { read: ['replica', 'behind', 'away'] },
  },
  gateway_database_migrations: {
    kind: 'gauge',
    of: 'worker',
    help: 'Migrations by which the schema of the database differs from that of this program: `newer` ran and are not known to it, `pending` did not run. Compared every 10 s.',
    labels: { state: ['newer', 'pending'] },
  },
  gateway_schema_faults_total: {
    kind: 'counter',
    of: 'worker',
    help: 'Statements that failed because the schema of the database is not that of this program; callers get 503.',
  },
  gateway_cache_lookups_total: {
    kind: 'counter',
    of: 'worker',
    help: 'Questions to a cache that the change feed keeps right. `answers`: whole answers to GET requests. Misses while the feed is down count, too.',
    labels: {
      cache: ['access-rules', 'answers', 'guardrails', 'mcp-targets', 'targets'],
      result: ['hit', 'miss'],
    },
  },
  gateway_change_feed_up: {
    kind: 'gauge',
    of: 'worker',
    help: '1 while changes of other gateways are heard. 0: nothing is answered from caches.',
  },
  gateway_change_feed_losses_total: {
    kind: 'counter',
    of: 'worker',
    help: 'How often the connection of the change feed was lost.',
  },
  gateway_change_feed_changes_total: {
    kind: 'counter',
    of: 'worker',
    help: 'Changes and messages of gateways that were heard.',
  },
} as const satisfies MetricTable;
