import { type ByteClass, shareOf, shareOfByte } from './byte-class';
import { TABLES, TABLE_BYTES } from './scan-module';

/** Number of consecutive bytes of a sequence that the scan compares. */
export const COMPARED = 4;
/** Maximum number of buckets, because each bucket has one bit in every byte of a table. */
const BUCKETS = 8;

/**
 * A set of bytes, described by the two halves (4 bits) of a byte: bit n allows the lower half n, bit 16 + n
 * the upper half n. The set accepts every combination of its halves, so it may accept more bytes than were
 * requested.
 */
type Halves = number;

/** The accepted bytes at each of the `COMPARED` positions, for one or more sequences. */
export type Bucket = readonly Halves[];

/** Accepts any byte. Pads sequences that are shorter than `COMPARED`. */
const ANY: Halves = -1;
const SHARES = Float64Array.from({ length: 128 }, (_, byte) => shareOfByte(byte));

/** Distributes sequences over the buckets; similar sequences share a bucket. */
export function bucketsOf(sequences: readonly (readonly ByteClass[])[]): Bucket[] {
  known.clear();
  const buckets = sequences.map(mostTelling);
  // Costs of merging two buckets: `costs[second][first]`, where `first` is the smaller index.
  const costs = buckets.map((bucket, at) => buckets.slice(0, at).map((earlier) => costOf(earlier, bucket)));
  while (buckets.length > BUCKETS) {
    const [first, second] = cheapest(costs);
    const both = joined(buckets[first]!, buckets[second]!);
    buckets[first] = both;
    buckets.splice(second, 1);
    costs.splice(second, 1);
    for (const row of costs.slice(second)) row.splice(second, 1);
    buckets.forEach((bucket, at) => {
      if (at < first) costs[first]![at] = costOf(bucket, both);
      if (at > first) costs[at]![first] = costOf(both, bucket);
    });
  }
  return buckets;
}

/** Estimated fraction of the positions in common text that a bucket accepts; 0 to 1. */
export function shareOfBucket(bucket: Bucket): number {
  return bucket.reduce((share, halves) => share * shareOfHalves(halves), 1);
}

/** The tables for these buckets and for single bytes, as `scan` reads them. */
export function tablesOf(buckets: readonly Bucket[], singles: ByteClass): Uint8Array {
  const tables = new Uint8Array(TABLES * TABLE_BYTES);
  const allow = (place: number, halves: Halves, bit: number): void => {
    for (let half = 0; half < 2 * TABLE_BYTES; half++)
      if ((halves >>> half) & 1) tables[2 * place * TABLE_BYTES + half]! |= bit;
  };
  buckets.forEach((bucket, index) => bucket.forEach((halves, place) => allow(place, halves, 1 << index)));
  // Uses one bit for each upper half, so that `scan` accepts exactly the single bytes.
  for (const byte of singles) allow(COMPARED, halvesOf([byte]), 1 << (byte >> 4));
  return tables;
}

/** Returns the `COMPARED` consecutive positions of a sequence whose bytes are rarest in common text. */
function mostTelling(sequence: readonly ByteClass[]): Bucket {
  const halves = sequence.map(halvesOf);
  let best = Array.from({ length: COMPARED }, (_, place) => halves[place] ?? ANY);
  for (let at = 1; at + COMPARED <= halves.length; at++) {
    const part = halves.slice(at, at + COMPARED);
    if (shareOfBucket(part) < shareOfBucket(best)) best = part;
  }
  return best;
}

function halvesOf(allowed: Iterable<number>): Halves {
  let halves = 0;
  for (const byte of allowed) halves |= (1 << (byte & 15)) | (1 << (16 + (byte >> 4)));
  return halves;
}

function joined(a: Bucket, b: Bucket): Bucket {
  return a.map((halves, place) => halves | b[place]!);
}

function costOf(a: Bucket, b: Bucket): number {
  return shareOfBucket(joined(a, b)) - shareOfBucket(a) - shareOfBucket(b);
}

function cheapest(costs: readonly (readonly number[])[]): [number, number] {
  let found: [number, number] = [0, 1];
  let least = Infinity;
  costs.forEach((row, second) => {
    row.forEach((cost, first) => {
      if (cost < least) [least, found] = [cost, [first, second]];
    });
  });
  return found;
}

/** Cached results of `shareOfHalves`, because the same letters recur while buckets are made. */
const known = new Map<Halves, number>();

function shareOfHalves(halves: Halves): number {
  const before = known.get(halves);
  if (before !== undefined) return before;
  let share = 0;
  for (let byte = 0; byte < SHARES.length; byte++)
    if ((halves >>> (byte & 15)) & (halves >>> (16 + (byte >> 4))) & 1) share += SHARES[byte]!;
  share = Math.min(1, share);
  known.set(halves, share);
  return share;
}

/** Estimated fraction of the positions in common text at which the whole sequence occurs; 0 to 1. */
export function shareOfSequence(sequence: readonly ByteClass[]): number {
  return sequence.reduce((share, allowed) => share * shareOf(allowed), 1);
}
