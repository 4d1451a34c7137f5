import { plainNumber } from '../../kernel/json/number-text';
import { CandidateDetector, isDigitAt } from './detector';

/**
 * Digits with at most one space or dash between any two. `CANDIDATE` excludes the decimals of a number such
 * as 0.4111111111111111. The first digits are checked before the rest, because most numbers are no cards.
 */
const RUN = String.raw`(?:[2-69]|1(?=[ -]?8)|8(?=[ -]?[12]))(?:[ -]?\d){12,18}`;

/** Groups of three digits from the right, or groups as printed on cards, with one separator throughout. */
const GROUPED =
  String.raw`(?=[2-69]|1[.,/_']?8|8[.,/_']?[12])(?:` +
  [
    String.raw`\d{1,3}([.,/_'])\d{3}(?:\1\d{3}){3,5}`,
    String.raw`\d{4}([.,/_'])\d{4}(?:\2\d{4}){1,2}(?:\2\d{1,3})?`,
    String.raw`\d{4}([.,/_'])\d{6}\3\d{4,5}`,
  ].join('|') +
  ')';

/** A number with an exponent, as databases print floating-point numbers from 10^15 on. */
const EXPONENTIAL = String.raw`[1-9]\.\d{10,18}[eE]\+?1[2-8]`;

const CANDIDATE = new RegExp(String.raw`(?<!\d|\d\.)(?:${EXPONENTIAL}|${GROUPED}|${RUN})`, 'g');

const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi;
const UUID_LENGTH = 36;

/** Leading digits and lengths as the card networks publish them. */
const ISSUED = new RegExp(
  `^(?:${[
    String.raw`4\d{12}(?:\d{3,6})?`, // Visa
    String.raw`(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}`, // Mastercard
    String.raw`3[47]\d{13}`, // American Express
    String.raw`3(?:0[0-5]|09|[689]\d)\d{11}`, // Diners Club
    String.raw`(?:6011|64[4-9]\d|65\d\d)\d{12,15}`, // Discover
    String.raw`35\d{14,17}|(?:2131|1800)\d{11}`, // JCB
    String.raw`(?:62|81)\d{14,17}`, // UnionPay
    String.raw`(?:5018|5020|5038|5[68]\d\d|6304|6390|67\d\d)\d{9,15}`, // Maestro
    String.raw`220[0-4]\d{12,15}`, // Mir
    String.raw`(?:60\d\d|82\d\d|508\d|9792)\d{12}`, // RuPay, Troy
  ].join('|')})$`,
);

/**
 * Card numbers: 13 to 19 digits in a range of a card network, with a valid check digit, in each form in which
 * numbers are printed.
 */
export const paymentCard = new CandidateDetector(37, CANDIDATE, (candidate, text, start) => {
  const end = /e/i.test(candidate)
    ? endOfExponential(candidate, text, start)
    : endOfCard(candidate, text, start);
  return end === undefined || isInUuid(text, start, end) ? undefined : end;
});

/**
 * Returns the end of the longest card number from `start` on. A card must end where a group of digits ends.
 */
function endOfCard(candidate: string, text: string, start: number): number | undefined {
  let digits = candidate.replaceAll(/\D/g, '');
  let end = start + candidate.length;
  while (digits.length >= 13) {
    if (!isDigitAt(text, end) && isCardNumber(digits)) return end;
    digits = digits.slice(0, -1);
    do end--;
    while (!isDigitAt(text, end - 1));
  }
  return undefined;
}

function endOfExponential(candidate: string, text: string, start: number): number | undefined {
  const end = start + candidate.length;
  const [whole = ''] = plainNumber(candidate).split('.');
  return !isDigitAt(text, end) && isCardNumber(whole) ? end : undefined;
}

/**
 * Whether the digits belong to a UUID. This check is needed because about one in two thousand random UUIDs
 * has digits that could be a card. A UUID without any letter does not count as a UUID.
 */
function isInUuid(text: string, start: number, end: number): boolean {
  if (!text.slice(start, end).includes('-')) return false;
  const from = Math.max(0, end - UUID_LENGTH);
  for (const { index, 0: uuid } of text.slice(from, start + UUID_LENGTH).matchAll(UUID))
    if (from + index <= start && from + index + UUID_LENGTH >= end && /[a-f]/i.test(uuid)) return true;
  return false;
}

function isCardNumber(digits: string): boolean {
  return ISSUED.test(digits) && isLuhnNumber(digits);
}

/** Checks ISO/IEC 7812-1, annex B. The validator package does the same, but takes ten times as long. */
function isLuhnNumber(digits: string): boolean {
  let sum = 0;
  for (let fromLast = 0; fromLast < digits.length; fromLast++) {
    const digit = digits.charCodeAt(digits.length - 1 - fromLast) - 48;
    const weighed = fromLast % 2 === 0 ? digit : 2 * digit;
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return sum % 10 === 0;
}
