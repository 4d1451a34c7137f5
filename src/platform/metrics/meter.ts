import type { MetricDefinition } from './definition/definition';
import { CountedSeries, type Labels, ObservedSeries, type Sample, SeriesPlaces } from './definition/series';
import { type LabelsOf, METRICS, type MetricName, type NameOf } from './table';

/** Counts events. */
export interface Counter<L extends Labels> {
  add(labels: L, by?: number): void;
}

/** Measures durations. */
export interface Distribution<L extends Labels> {
  /** Adds a value, in the unit that ends the metric's name: seconds. */
  observe(labels: L, value: number): void;
}

/** The samples of one metric. */
export interface Family {
  readonly name: string;
  readonly definition: MetricDefinition;
  readonly samples: readonly Sample[];
}

interface Reading {
  readonly labels: Labels;
  readonly value: () => number | undefined;
}

/**
 * The metrics of this process. Modules count events here, or register functions that are read at a scrape.
 * All names and labels are in `table.ts`. If metrics are off, all methods do nothing.
 */
export class Meter {
  private readonly counters = new Map<string, CountedSeries>();
  private readonly distributions = new Map<string, ObservedSeries>();
  private readonly readings = new Map<string, Reading[]>();

  constructor(readonly isOn: boolean) {}

  /** Returns a counter. Call this once and keep the result. Each `add` costs one look-up per label. */
  counter<N extends NameOf<'counter'>>(name: N): Counter<LabelsOf<N>> {
    if (!this.isOn) return NOTHING;
    const known = this.counters.get(name) ?? new CountedSeries(METRICS[name]);
    this.counters.set(name, known);
    return { add: (labels, by = 1) => known.add(labels, by) };
  }

  distribution<N extends NameOf<'histogram'>>(name: N): Distribution<LabelsOf<N>> {
    if (!this.isOn) return NOTHING;
    const known = this.distributions.get(name) ?? new ObservedSeries(name, METRICS[name]);
    this.distributions.set(name, known);
    return known;
  }

  /**
   * Registers a function that reads a number at each scrape. The numbers of several functions for one series
   * are added up.
   * @param value must be quick and must not throw; undefined means unknown, and nothing is shown
   */
  read<N extends NameOf<'gauge' | 'counter'>>(
    name: N,
    labels: LabelsOf<N>,
    value: () => number | undefined,
  ): void {
    if (!this.isOn) return;
    this.readings.set(name, [...(this.readings.get(name) ?? []), { labels, value }]);
  }

  /** Returns the current samples of all metrics. */
  families(): Family[] {
    const families: Family[] = [];
    for (const name of Object.keys(METRICS) as MetricName[]) {
      const samples = [
        ...(this.counters.get(name)?.samples() ?? []),
        ...(this.distributions.get(name)?.samples() ?? []),
        ...readSamples(METRICS[name], this.readings.get(name) ?? []),
      ];
      const isRegistered = [this.counters, this.distributions, this.readings].some((known) =>
        known.has(name),
      );
      if (isRegistered) families.push({ name, definition: METRICS[name], samples });
    }
    return families;
  }
}

const NOTHING = { add: () => undefined, observe: () => undefined };

/**
 * Reads the registered numbers. A label value outside the declared set of its label is reported as `other`,
 * as it is for counters.
 */
function readSamples(definition: MetricDefinition, readings: readonly Reading[]): Sample[] {
  if (readings.length === 0) return [];
  const places = new SeriesPlaces(definition);
  const values = new Map<number, number>();
  for (const { labels, value } of readings) {
    const known = value();
    if (known === undefined) continue;
    const place = places.placeOf(labels);
    values.set(place, (values.get(place) ?? 0) + known);
  }
  return [...values].map(([place, value]) => ({ labels: places.labelsAt(place), value }));
}
