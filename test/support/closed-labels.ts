import type { MetricDefinition } from '../../src/platform/metrics/definition/definition';
import { METRICS, PROCESS_METRICS } from '../../src/platform/metrics/table';
import type { ScrapedSeries } from './scrape';

/** Metrics of Node.js to which `prom-client` adds labels. These labels have closed sets of values too. */
const OF_NODE = /^(?:nodejs_(?:gc_duration_seconds|heap_space_size_|version_info))/;

/** Returns the name of the metric of a series. A histogram has series with three names. */
function familyOf(name: string): string {
  return name.replace(/_(?:bucket|sum|count)$/, '');
}

/** Expects that the table defines each series and label, and that each label value is in its closed set. */
export function expectClosedSets(series: readonly ScrapedSeries[]): void {
  const table: Readonly<Record<string, MetricDefinition>> = METRICS;
  for (const { name, labels } of series) {
    const { worker, le, ...own } = labels;
    if (worker !== undefined) expect(worker).toMatch(/^(?:\d|primary)$/);
    if (name in PROCESS_METRICS || familyOf(name) in PROCESS_METRICS) {
      if (!OF_NODE.test(name)) expect([name, own]).toEqual([name, {}]);
      continue;
    }
    const definition = table[name] ?? table[familyOf(name)];
    if (definition === undefined) throw new Error(`${name} is not in the table`);
    if (le !== undefined) expect([...(definition.buckets ?? []).map(String), '+Inf']).toContain(le);
    expect(Object.keys(own)).toEqual(Object.keys(definition.labels ?? {}));
    for (const [label, value] of Object.entries(own))
      expect([...(definition.labels?.[label] ?? []), 'other']).toContain(value);
  }
}
