/**
 * Definition of a metric. Its unit is the end of its name, as in Prometheus: `_seconds`, `_bytes`, `_total`
 * for counters.
 */
export interface MetricDefinition {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /**
   * The values of each label: closed sets, so that the number of series does not grow with users, connections
   * or input. What is in none of them is counted as `other`.
   */
  readonly labels?: Readonly<Record<string, readonly string[]>>;
  /** Upper bounds of a histogram's buckets, in ascending order. */
  readonly buckets?: readonly number[];
  /**
   * `worker`: each process has its own, with the label `worker`. `gateway`: one value for all processes of a
   * gateway. `database`: one value, read from the database, which all gateways show alike.
   */
  readonly of: 'worker' | 'gateway' | 'database';
}

export type MetricTable = Readonly<Record<string, MetricDefinition>>;

/** Seconds: from an answer from memory to a script that runs as long as its caller waits. */
export const LATENCIES = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
] as const;

/** Value of a label for what its set does not have. */
export const OTHER = 'other';
