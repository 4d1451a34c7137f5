import { DETECTOR_NAMES } from '../matching/detectors';
import type { Occurrence } from './occurrence';

/** Numbers per occurrence: test, start, end, and the index of its detector in `DETECTOR_NAMES` or -1. */
const COLUMNS = 4;

/**
 * Occurrences as numbers, because a thread may find thousands, and sending them as objects takes as long as
 * finding them. Few occurrences have a reason; `reasons` contains their indexes and reasons.
 */
export interface PackedOccurrences {
  readonly numbers: Int32Array;
  readonly reasons: readonly (readonly [place: number, reason: string])[];
}

export function pack(occurrences: readonly Occurrence[]): PackedOccurrences {
  const numbers = new Int32Array(occurrences.length * COLUMNS);
  const reasons: [number, string][] = [];
  let at = 0;
  for (const { test, start, end, detector, reason } of occurrences) {
    if (reason !== undefined) reasons.push([at / COLUMNS, reason]);
    numbers[at++] = test;
    numbers[at++] = start;
    numbers[at++] = end;
    numbers[at++] = detector === undefined ? -1 : DETECTOR_NAMES.indexOf(detector);
  }
  return { numbers, reasons };
}

export function unpack({ numbers, reasons }: PackedOccurrences): readonly Occurrence[] {
  const occurrences: Occurrence[] = [];
  for (let at = 0; at < numbers.length; at += COLUMNS) {
    const [test, start, end] = [numbers[at]!, numbers[at + 1]!, numbers[at + 2]!];
    const detector = DETECTOR_NAMES[numbers[at + 3]!];
    occurrences.push(detector === undefined ? { test, start, end } : { test, start, end, detector });
  }
  for (const [place, reason] of reasons) occurrences[place] = { ...occurrences[place]!, reason };
  return occurrences;
}
