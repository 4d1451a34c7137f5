import { BLOCK, type ByteScanner } from './byte-scanner';
import { paymentCard } from './payment-card';

/** Minimum number of digits of a payment card. */
const LEAST_DIGITS = 13;
/** Maximum length in bytes of a number that is checked here. The full search checks longer numbers. */
const LONG_NUMBER = 1_024;
/**
 * Number of bytes to check before a number. If they end with a digit, or with a digit and a dot, the number
 * began earlier.
 */
const BEFORE = 2;

const DOT = '.'.charCodeAt(0);
const ONE = '1'.charCodeAt(0);
const TWO = '2'.charCodeAt(0);
const EIGHT = '8'.charCodeAt(0);

/**
 * Returns the start of the next payment card at or after `from`, or of a number that is too long to check
 * here; -1 when there is none. The scanner's text has `length` bytes. `from` must not lie inside a number.
 */
export function nextCard(scanner: ByteScanner, from: number, length: number): number {
  const { text } = scanner;
  for (let block = scanner.nextRun(from, length); block >= 0;) {
    let at = block;
    while (at > from && isOfRun(text[at - 1]!)) at--;
    const known = Math.min(length, block + BLOCK);
    while (at < known || (at < length && isOfRun(text[at]!))) {
      if (!isDigitAt(text[at]!)) {
        at++;
        continue;
      }
      const end = endOfNumber(text, at, length);
      // Leaves a long number to the search, which yields to other work; this scan cannot yield.
      if (end - at > LONG_NUMBER) return at;
      if (isWorthALook(text, at, end) && isCard(text, at, Math.min(length, end + 1))) return at;
      at = end;
    }
    block = scanner.nextRun(at, length);
  }
  return -1;
}

/** Returns the end of a number: digits with at most one space or dash between any two. */
function endOfNumber(text: Uint8Array, start: number, length: number): number {
  let end = start + 1;
  for (;;) {
    if (end < length && isDigitAt(text[end]!)) end++;
    else if (end + 1 < length && isSeparator(text[end]!) && isDigitAt(text[end + 1]!)) end += 2;
    else return end;
  }
}

/** Returns false for a date with a time, and for digits without separators that do not begin like a card. */
function isWorthALook(text: Uint8Array, start: number, end: number): boolean {
  if (end - start < LEAST_DIGITS) return false;
  let digits = 0;
  for (let at = start; at < end; at++) if (isDigitAt(text[at]!)) digits++;
  if (digits < LEAST_DIGITS) return false;
  return digits < end - start || mayBegin(text, start);
}

/**
 * Whether the digits at `at` may begin a card. Returns false for the decimals of a number such as
 * 0.4111111111111111. See payment-card.ts.
 */
function mayBegin(text: Uint8Array, at: number): boolean {
  if (at >= BEFORE && text[at - 1] === DOT && isDigitAt(text[at - 2]!)) return false;
  const [first, second] = [text[at]!, text[at + 1]!];
  if (first === ONE) return second === EIGHT;
  return first === EIGHT ? second === ONE || second === TWO : first > ONE;
}

function isCard(text: Buffer, start: number, end: number): boolean {
  const around = text.toString('latin1', Math.max(0, start - BEFORE), end);
  return paymentCard.occurrences(around, 0).next().done !== true;
}

function isDigitAt(byte: number): boolean {
  return byte >= 48 && byte <= 57;
}

function isSeparator(byte: number): boolean {
  return byte === 32 || byte === 45;
}

function isOfRun(byte: number): boolean {
  return isDigitAt(byte) || isSeparator(byte);
}
