import { CandidateDetector } from './detector';

/**
 * Area, group and serial, without the numbers that are never given out (SSA,
 * "Social Security number randomization").
 */
const NUMBER = (separator: string) =>
  String.raw`(?!000|666|9)\d{3}${separator}(?!00)\d\d${separator}(?!0000)\d{4}`;

/**
 * US social security numbers with dashes or single spaces. Bare nine digits are left alone: any id could be
 * one. With spaces, a number before or behind shows that these are columns.
 */
const CANDIDATE = new RegExp(
  String.raw`(?<!\d|\d-)${NUMBER('-')}(?!-?\d)|(?<!\d|\d[ -])${NUMBER(' ')}(?![ -]?\d)`,
  'g',
);

export const usSsn = new CandidateDetector(11, CANDIDATE, (candidate, _, start) => start + candidate.length);
