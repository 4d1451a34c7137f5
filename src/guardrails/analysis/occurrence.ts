import type { DetectorName } from '../matching/detectors';
import type { Span } from '../matching/span';

/** A match of an entry. `test` is the entry's index among the tests of the matcher. */
export interface Occurrence extends Span {
  readonly test: number;
  readonly detector?: DetectorName;
  /** Text that the auditor sees instead of the matched text. */
  readonly reason?: string;
}

/** Maximum number of reported matches of one blocking entry in one text; one match is enough to block. */
export const MAX_OCCURRENCES = 100;
