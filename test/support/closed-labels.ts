import type { MetricDefinition } from '../../src/platform/metrics/definition/definition';
import { METRICS, PROCESS_METRICS } from '../../src/platform/metrics/table';
import type { ScrapedSeries } from './scrape';

/** Labels that `prom-client` gives to what it measures of Node.js: closed sets, too. */
const OF_NODE = /^(?:nodejs_(?:gc_duration_seconds|heap_space_size_|version_info))/;

/** The metric that a series belongs to: a histogram has three names. */
function familyOf(name: string): string {
  return name.replace(/_(?:bucket|sum|count)$/, '');
}

/** Expects that each series and label is one of the table, and each value of its closed set. */
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
