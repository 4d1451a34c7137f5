import { type ByteClass, shareOf, shareOfByte } from './byte-class';
import { TABLES, TABLE_BYTES } from './scan-module';

/** Bytes in a row that are compared. */
export const COMPARED = 4;
/** Sequences that are compared together: one bit in each byte of a table. */
const BUCKETS = 8;

/**
 * The bytes that a table accepts at one place: bit n is set for the lower half n of a
 * byte, bit 16 + n for the upper half n. Every combination of these halves is
 * accepted, which may be more bytes than were asked for.
 */
type Halves = number;

/** The accepted bytes at each compared place, for one sequence or several. */
export type Bucket = readonly Halves[];

/** Accepts any byte: pads sequences that are shorter than the compared places. */
const ANY: Halves = -1;
const SHARES = Float64Array.from({ length: 128 }, (_, byte) => shareOfByte(byte));

/** Distributes sequences over the buckets; similar ones share a bucket. */
export function bucketsOf(sequences: readonly (readonly ByteClass[])[]): Bucket[] {
  known.clear();
  const buckets = sequences.map(mostTelling);
  // The cost of merging each pair; the second index is the larger one.
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

/** Estimated share of places in common text that a bucket accepts; 0 to 1. */
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
  // One bit for each upper half, so that exactly these bytes are accepted.
  for (const byte of singles) allow(COMPARED, halvesOf([byte]), 1 << (byte >> 4));
  return tables;
}

/** The part of a sequence that is rarest in common text. */
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

/** Cache: the same letters recur while buckets are made. */
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

/** Estimated share of places in common text where the whole sequence stands; 0 to 1. */
export function shareOfSequence(sequence: readonly ByteClass[]): number {
  return sequence.reduce((share, allowed) => share * shareOf(allowed), 1);
}
