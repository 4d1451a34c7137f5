import {
  AggregatorRegistry,
  type MetricObjectWithValues,
  type MetricValueWithName,
  Registry,
  collectDefaultMetrics,
} from 'prom-client';
import type { Meter } from './meter';
import { PROCESS_METRICS } from './table';

/** The metrics of one process, as `prom-client` sends them from one process to another. */
export type ProcessMetrics = MetricObjectWithValues<MetricValueWithName<string>>[];

/** Answer to a scrape. */
export interface Scrape {
  readonly contentType: string;
  readonly text: string;
}

/** The metrics of this process: those of the meter, and the process metrics of `prom-client`. */
export class Exposition {
  private readonly process = new Registry();

  /** @param worker value of the label `worker`, which identifies this process of the gateway */
  constructor(
    private readonly meter: Meter,
    private readonly worker: string,
  ) {
    collectDefaultMetrics({ register: this.process, labels: { worker } });
    for (const { name } of this.process.getMetricsAsArray())
      if (!(name in PROCESS_METRICS)) this.process.removeSingleMetric(name);
  }

  async metrics(): Promise<ProcessMetrics> {
    const own = this.meter.families().map(({ name, definition: { kind, help, of }, samples }) => ({
      name,
      help,
      type: kind,
      aggregator: 'first',
      values: samples.map((sample) =>
        of === 'worker' ? { ...sample, labels: { worker: this.worker, ...sample.labels } } : sample,
      ),
    }));
    const ofNode = await this.process.getMetricsAsJSON();
    // Without `first`, `prom-client` would omit some metrics when it combines processes. `first` loses no
    // value, because each process has its own series by the label `worker`.
    return [...own, ...ofNode.map((metric) => ({ ...metric, aggregator: 'first' }))] as ProcessMetrics;
  }
}

/** Renders the metrics of all processes as one text. The label `worker` separates their series. */
export async function render(processes: readonly ProcessMetrics[]): Promise<Scrape> {
  const all = AggregatorRegistry.aggregate([...processes]);
  return { contentType: all.contentType, text: await all.metrics() };
}
