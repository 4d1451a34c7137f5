import { type MetricDefinition, OTHER } from './definition';

export type Labels = Readonly<Record<string, string>>;

interface LabelSet {
  readonly name: string;
  readonly values: readonly string[];
  readonly places: ReadonlyMap<string, number>;
}

/** All possible series of a metric. Each combination of label values has a fixed index. */
export class SeriesPlaces {
  readonly count: number;
  private readonly sets: readonly LabelSet[];

  constructor({ labels = {} }: MetricDefinition) {
    this.sets = Object.entries(labels).map(([name, known]) => {
      const values = known.includes(OTHER) ? known : [...known, OTHER];
      return { name, values, places: new Map(values.map((value, place) => [value, place])) };
    });
    this.count = this.sets.reduce((product, { values }) => product * values.length, 1);
  }

  placeOf(labels: Labels): number {
    let place = 0;
    for (const { name, values, places } of this.sets) {
      const value = places.get(labels[name] ?? OTHER) ?? places.get(OTHER) ?? 0;
      place = place * values.length + value;
    }
    return place;
  }

  labelsAt(place: number): Record<string, string> {
    const labels: [string, string][] = [];
    let rest = place;
    for (const { name, values } of this.sets.toReversed()) {
      labels.unshift([name, values[rest % values.length] ?? OTHER]);
      rest = Math.floor(rest / values.length);
    }
    return Object.fromEntries(labels);
  }
}

/** One value of one series at a scrape. */
export interface Sample {
  /** Name of a histogram's series, with `_bucket`, `_sum` or `_count`. */
  readonly metricName?: string;
  readonly labels: Record<string, string>;
  readonly value: number;
}

/**
 * Up to this number of series, a counter shows all its series (except `other`) from the start, at zero. So
 * Prometheus sees the first event as an increase.
 */
const FEW = 32;

/**
 * A counter that modules increase at each event. A counter with more than `FEW` series shows only the series
 * that are not zero.
 */
export class CountedSeries {
  private readonly values: Float64Array;
  private readonly places: SeriesPlaces;

  constructor(definition: MetricDefinition) {
    this.places = new SeriesPlaces(definition);
    this.values = new Float64Array(this.places.count);
  }

  add(labels: Labels, by: number): void {
    const place = this.places.placeOf(labels);
    this.values[place] = (this.values[place] ?? 0) + by;
  }

  samples(): Sample[] {
    const samples: Sample[] = [];
    for (const [place, value] of this.values.entries()) {
      const labels = this.places.labelsAt(place);
      const isUsual = this.places.count <= FEW && !Object.values(labels).includes(OTHER);
      if (value !== 0 || isUsual) samples.push({ labels, value });
    }
    return samples;
  }
}

/**
 * A histogram to which modules add each measured value. Each series has its buckets, its sum and its count.
 */
export class ObservedSeries {
  private readonly places: SeriesPlaces;
  private readonly bounds: readonly number[];
  /** For each series: one count per bucket, the count above the last bucket, and the sum. */
  private readonly values: Float64Array;
  private readonly width: number;

  constructor(
    private readonly name: string,
    definition: MetricDefinition,
  ) {
    this.places = new SeriesPlaces(definition);
    this.bounds = definition.buckets ?? [];
    this.width = this.bounds.length + 2;
    this.values = new Float64Array(this.places.count * this.width);
  }

  observe(labels: Labels, value: number): void {
    const start = this.places.placeOf(labels) * this.width;
    let bucket = 0;
    while (bucket < this.bounds.length && value > (this.bounds[bucket] ?? Infinity)) bucket += 1;
    this.values[start + bucket] = (this.values[start + bucket] ?? 0) + 1;
    const sum = start + this.width - 1;
    this.values[sum] = (this.values[sum] ?? 0) + value;
  }

  samples(): Sample[] {
    return Array.from({ length: this.places.count }, (_, place) => this.samplesAt(place)).flat();
  }

  private samplesAt(place: number): Sample[] {
    const values = this.values.subarray(place * this.width, (place + 1) * this.width);
    const counts = values.subarray(0, -1);
    const count = counts.reduce((sum, one) => sum + one, 0);
    if (count === 0) return [];
    const labels = this.places.labelsAt(place);
    let below = 0;
    const buckets = Array.from(counts, (inBucket, bucket): Sample => {
      below += inBucket;
      const le = String(this.bounds[bucket] ?? '+Inf');
      return { metricName: `${this.name}_bucket`, labels: { ...labels, le }, value: below };
    });
    return [
      ...buckets,
      { metricName: `${this.name}_sum`, labels, value: values.at(-1) ?? 0 },
      { metricName: `${this.name}_count`, labels: { ...labels }, value: count },
    ];
  }
}
