import { isValidPhoneNumber } from 'libphonenumber-js/max';
import { CandidateDetector, isDigitAt, tokenHead } from './detector';

/** Up to 15 digits after the plus (ITU-T E.164), with at most two separators between any two digits. */
const INTERNATIONAL = String.raw`${tokenHead('\\+', String.raw`\p{L}\p{N}_+`)}[1-9](?:[ ./()\-]{0,2}\d){6,14}`;

/**
 * US and Canadian numbers with parentheses, dashes or dots. Ten digits in one piece or with spaces only do
 * not count, because tables are full of such numbers.
 */
const NATIONAL =
  String.raw`(?=[(1-9])(?:(?<![\p{L}\p{N}_]|\p{N}[-.])|(?<=\\[nrt]))(?:1[-. ])?` +
  String.raw`(?:\([2-9]\d\d\)[ -]?[2-9]\d\d[-. ]\d{4}|[2-9]\d\d([-.])[2-9]\d\d\1\d{4})(?![\p{L}\p{N}_]|[-.]\d)`;

const CANDIDATE = new RegExp(`${INTERNATIONAL}|${NATIONAL}`, 'gu');

/**
 * Maximum number of digit groups that may be dropped from the end of a candidate. They may belong to another
 * number that follows.
 */
const GROUPS_TOO_MANY = 2;

/** Phone numbers that are valid in a numbering plan, written with + and country code, or in US form. */
export const phone = new CandidateDetector(44, CANDIDATE, endOfPhone);

function endOfPhone(candidate: string, text: string, start: number): number | undefined {
  let number = candidate;
  for (let dropped = 0; dropped <= GROUPS_TOO_MANY; dropped++) {
    const end = start + number.length;
    if (!isDigitAt(text, end) && isValidPhoneNumber(number, 'US')) return end;
    const shorter = /^.*\d(?=[^\d]+\d+$)/.exec(number);
    if (shorter === null) return undefined;
    number = shorter[0];
  }
  return undefined;
}
