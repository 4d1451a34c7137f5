import type { DetectorName } from './matching/detectors';
import type { Span } from './matching/span';

/** Where an entry was found: `test` is its place among the tests of the matcher. */
export interface Occurrence extends Span {
  readonly test: number;
  readonly detector?: DetectorName;
}

/** No entry is told of more often than this in one text; one is enough to block. */
export const MAX_OCCURRENCES = 100;
