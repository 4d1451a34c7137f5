import { isAscii, isUtf8 } from 'node:buffer';
import type { MaybePromise } from '../async/maybe-promise';
import { TimeSlice } from '../async/time-slice';
import { JsonReading } from './json-reading';
import { JSON_BOUNDS, type Json, type JsonBounds, JsonFault } from './json-value';

/** Shorter documents are read at once: they take a millisecond or two. */
const SHORT_BYTES = 64 * 1024;
/** Bytes that are decoded between two looks at the clock: text beyond ASCII takes 3 ms for each megabyte. */
const DECODED = 256 * 1024;
/** Read between two looks at the clock, in UTF-16 code units. */
const STEP = 16 * 1024;

/**
 * Reads one JSON value (RFC 8259) and nothing after it. It is stricter than `JSON.parse`: it refuses names
 * that are given twice (once decoded), NUL, half of a surrogate pair, bytes that are no UTF-8, and a byte
 * order mark; and it loses no number. A reader of the same bytes with another parser gets the same values.
 * Long documents are read in time slices, which give a promise.
 *
 * @throws JsonFault; a promise rejects with it
 */
export function readJson(bytes: Buffer, bounds: Partial<JsonBounds> = {}): MaybePromise<Json> {
  const limits = { ...JSON_BOUNDS, ...bounds };
  if (bytes.length > SHORT_BYTES) return inSlices(bytes, limits);
  const reading = new JsonReading(textOf(bytes), limits);
  reading.advance(Infinity);
  return reading.value;
}

async function inSlices(bytes: Buffer, bounds: JsonBounds): Promise<Json> {
  const slice = new TimeSlice();
  requireUtf8(bytes);
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = endOfCharacter(bytes, at + DECODED);
    pieces.push(decoded(bytes.subarray(at, end)));
    at = end;
    if (slice.isOver) await slice.next();
  }
  const reading = new JsonReading(pieces.join(''), bounds);
  while (!reading.advance(STEP)) if (slice.isOver) await slice.next();
  return reading.value;
}

function textOf(bytes: Buffer): string {
  requireUtf8(bytes);
  return decoded(bytes);
}

/** The last place up to this one at which a character of valid UTF-8 begins, or the end. */
function endOfCharacter(bytes: Buffer, place: number): number {
  let end = Math.min(place, bytes.length);
  while (end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return end;
}

/** @throws JsonFault */
function requireUtf8(bytes: Buffer): void {
  if (!isUtf8(bytes)) throw new JsonFault('encoding', 'is no valid UTF-8');
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
    throw new JsonFault('encoding', 'begins with a byte order mark');
}

function decoded(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}
