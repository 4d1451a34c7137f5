import { BLOCK, type ByteScanner } from './byte-scanner';
import { paymentCard } from './payment-card';

/** No payment card has fewer. */
const LEAST_DIGITS = 13;
/** A number of its own has neither a digit before it, nor a digit and a dot. */
const BEFORE = 2;

const ONE = '1'.charCodeAt(0);
const EIGHT = '8'.charCodeAt(0);

/** Whether the text of that length, which the scanner holds, has a payment card in it. */
export function mayHoldCard(scanner: ByteScanner, length: number): boolean {
  const { text } = scanner;
  for (let block = scanner.nextRun(0, length); block >= 0;) {
    let at = block;
    while (at > 0 && isOfRun(text[at - 1]!)) at--;
    const known = Math.min(length, block + BLOCK);
    while (at < known || (at < length && isOfRun(text[at]!))) {
      if (!isDigit(text[at]!)) {
        at++;
        continue;
      }
      const end = endOfNumber(text, at, length);
      if (isWorthALook(text, at, end) && isCard(text, at, Math.min(length, end + 1))) return true;
      at = end;
    }
    block = scanner.nextRun(at, length);
  }
  return false;
}

/** Behind the last of the digits that stand together, with no more than one space or dash between any two. */
function endOfNumber(text: Uint8Array, start: number, length: number): number {
  let end = start + 1;
  for (;;) {
    if (end < length && isDigit(text[end]!)) end++;
    else if (end + 1 < length && isSeparator(text[end]!) && isDigit(text[end + 1]!)) end += 2;
    else return end;
  }
}

/** Dates with a time, and numbers that begin as none is issued, are told without looking closer. */
function isWorthALook(text: Uint8Array, start: number, end: number): boolean {
  if (end - start < LEAST_DIGITS) return false;
  let digits = 0;
  for (let at = start; at < end; at++) if (isDigit(text[at]!)) digits++;
  if (digits < LEAST_DIGITS) return false;
  const isOnePiece = digits === end - start;
  return !isOnePiece || text[start] !== ONE || text[start + 1] === EIGHT;
}

function isCard(text: Buffer, start: number, end: number): boolean {
  const around = text.toString('latin1', Math.max(0, start - BEFORE), end);
  return paymentCard.occurrences(around, 0).next().done !== true;
}

function isDigit(byte: number): boolean {
  return byte >= 48 && byte <= 57;
}

function isSeparator(byte: number): boolean {
  return byte === 32 || byte === 45;
}

function isOfRun(byte: number): boolean {
  return isDigit(byte) || isSeparator(byte);
}
