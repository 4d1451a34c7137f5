import { CandidateDetector } from './detector';

/**
 * An area, a group and a serial number, without numbers that are never issued (SSA, "Social Security number
 * randomization").
 */
const NUMBER = (separator: string) =>
  String.raw`(?!000|666|9)\d{3}${separator}(?!00)\d\d${separator}(?!0000)\d{4}`;

/**
 * US Social Security numbers with dashes or single spaces. Nine digits without separators do not count,
 * because any id could look like that. A number with spaces next to other digits does not count, because such
 * digits are table columns.
 */
const CANDIDATE = new RegExp(
  String.raw`(?<!\d|\d-)${NUMBER('-')}(?!-?\d)|(?<!\d|\d[ -])${NUMBER(' ')}(?![ -]?\d)`,
  'g',
);

export const usSsn = new CandidateDetector(11, CANDIDATE, (candidate, _, start) => start + candidate.length);
