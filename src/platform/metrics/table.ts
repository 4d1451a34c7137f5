import { archiveMetrics } from './tables/archive-metrics';
import { databaseMetrics } from './tables/database-metrics';
import { gatewayMetrics } from './tables/gateway-metrics';
import { httpMetrics } from './tables/http-metrics';
import { processMetrics } from './tables/process-metrics';
import { recordingMetrics } from './tables/recording-metrics';
import { sessionMetrics } from './tables/session-metrics';
import { tlsMetrics } from './tables/tls-metrics';
import { workMetrics } from './tables/work-metrics';

/** Every metric of the gateway, by name. `docs/operations/metrics.md` is generated from this table. */
export const METRICS = {
  ...gatewayMetrics,
  ...httpMetrics,
  ...sessionMetrics,
  ...recordingMetrics,
  ...archiveMetrics,
  ...workMetrics,
  ...tlsMetrics,
  ...databaseMetrics,
} as const;

/** Metrics that `prom-client` measures by itself. */
export const PROCESS_METRICS = processMetrics;

type Table = typeof METRICS;
export type MetricName = keyof Table;

/** Names of the metrics of one kind. */
export type NameOf<K extends 'counter' | 'gauge' | 'histogram'> = {
  [N in MetricName]: Table[N]['kind'] extends K ? N : never;
}[MetricName];

/** The labels of a metric, each with one value of its set. */
export type LabelsOf<N extends MetricName> = Table[N] extends { readonly labels: infer L }
  ? { readonly [K in keyof L]: L[K] extends readonly (infer V)[] ? V : never }
  : Readonly<Record<string, never>>;
