import {
  array,
  assert,
  constantFrom,
  oneof,
  property,
  record,
  string,
} from '../../../../test/support/fast-check';
import type { MetricDefinition } from './definition';
import { Meter } from '../meter';
import { CountedSeries, ObservedSeries } from './series';
import { METRICS } from '../table';

/** Texts that callers send: any length, any characters, and names of members that every object has. */
const hostile = oneof(
  string({ unit: 'binary' }),
  constantFrom('__proto__', 'constructor', 'other', '"} 1\ngateway_info 2', '\u2028', 'x'.repeat(70_000)),
);

const SETS: MetricDefinition = {
  kind: 'counter',
  of: 'worker',
  help: '',
  labels: { color: ['red', 'green'], size: ['small', 'large', 'huge'] },
  buckets: [1, 10],
};

describe('series', () => {
  it('have labels of closed sets only, whatever they are given', () => {
    assert(
      property(array(record({ color: hostile, size: hostile }), { maxLength: 200 }), (given) => {
        const counted = new CountedSeries(SETS);
        const observed = new ObservedSeries('seconds', SETS);
        for (const labels of given) {
          counted.add(labels, 1);
          observed.observe(labels, 5);
        }
        const samples = counted.samples();
        expect(samples.length).toBeLessThanOrEqual(12);
        expect(observed.samples().length).toBeLessThanOrEqual(12 * 5);
        for (const { labels } of [...samples, ...observed.samples()]) {
          expect(['red', 'green', 'other']).toContain(labels['color']);
          expect(['small', 'large', 'huge', 'other']).toContain(labels['size']);
        }
        expect(samples.reduce((sum, { value }) => sum + value, 0)).toBe(given.length);
      }),
    );
  });

  it('are counted apart', () => {
    const counted = new CountedSeries(SETS);
    for (const color of ['red', 'green', 'blue'])
      for (const size of ['small', 'large', 'huge']) counted.add({ color, size }, size.length);
    expect(counted.samples()).toHaveLength(9);
    expect(counted.samples()).toContainEqual({ labels: { color: 'green', size: 'large' }, value: 5 });
    expect(counted.samples()).toContainEqual({ labels: { color: 'other', size: 'huge' }, value: 4 });
  });

  it('count into the first bucket that is large enough', () => {
    const observed = new ObservedSeries('seconds', SETS);
    for (const value of [0.5, 1, 2, 100]) observed.observe({ color: 'red', size: 'huge' }, value);
    const found = observed
      .samples()
      .map(({ metricName, labels, value }) => [metricName, labels['le'], value]);
    expect(found).toEqual([
      ['seconds_bucket', '1', 2],
      ['seconds_bucket', '10', 3],
      ['seconds_bucket', '+Inf', 4],
      ['seconds_sum', undefined, 103.5],
      ['seconds_count', undefined, 4],
    ]);
  });
});

describe('the table', () => {
  it('has a unit in each name as Prometheus wants it, and buckets in order', () => {
    for (const [name, { kind, ...metric }] of Object.entries(METRICS) as [string, MetricDefinition][]) {
      expect(name).toMatch(/^gateway_[a-z_]+$/);
      expect([name, name.endsWith('_total')]).toEqual([name, kind === 'counter']);
      if (kind === 'histogram')
        expect(metric.buckets).toEqual([...(metric.buckets ?? [])].sort((a, b) => a - b));
    }
  });

  it('allows a bounded number of series for each process', () => {
    const possible = (Object.values(METRICS) as MetricDefinition[]).map(({ labels = {}, buckets }) =>
      Object.values(labels).reduce(
        (count, values) => count * (values.length + 1),
        (buckets?.length ?? -2) + 3,
      ),
    );
    expect(possible.reduce((sum, one) => sum + one, 0)).toBeLessThan(5_000);
  });
});

describe('a meter', () => {
  it('that is off counts and reads nothing', () => {
    const meter = new Meter(false);
    meter.counter('gateway_http_responses_total').add({ status: '200' });
    meter.distribution('gateway_http_request_duration_seconds').observe({ area: 'mcp' }, 1);
    meter.read('gateway_info', {}, () => 1);
    expect(meter.families()).toEqual([]);
  });

  it('adds up readings of one series, and leaves out what is not known', () => {
    const meter = new Meter(true);
    meter.read('gateway_database_pool_waiting', { pool: 'main' }, () => 2);
    meter.read('gateway_database_pool_waiting', { pool: 'main' }, () => 3);
    meter.read('gateway_database_pool_waiting', { pool: 'recorder' }, () => undefined);
    expect(meter.families().map(({ name, samples }) => [name, samples])).toEqual([
      ['gateway_database_pool_waiting', [{ labels: { pool: 'main' }, value: 5 }]],
    ]);
  });
});
