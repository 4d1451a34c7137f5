/**
 * Definition of a metric. The end of its name gives the unit, as in Prometheus: `_seconds`, `_bytes`. The end
 * of a counter's name is `_total`.
 */
export interface MetricDefinition {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /**
   * The allowed values of each label. The sets are fixed, so that the number of series does not grow with
   * users, connections or input. Any other value counts as `other`.
   */
  readonly labels?: Readonly<Record<string, readonly string[]>>;
  /** Upper bounds of a histogram's buckets, in ascending order. */
  readonly buckets?: readonly number[];
  /**
   * Scope of the values. `worker`: each process has its own value, with the label `worker`. `gateway`: one
   * value for all processes of a gateway. `database`: one value from the database, the same on all gateways.
   */
  readonly of: 'worker' | 'gateway' | 'database';
}

export type MetricTable = Readonly<Record<string, MetricDefinition>>;

/** Bucket bounds in seconds, from the time of an answer from memory to the longest wait for a script. */
export const LATENCIES = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
] as const;

/** Label value that replaces every value outside the set of the label. */
export const OTHER = 'other';
