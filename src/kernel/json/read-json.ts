import { isAscii, isUtf8 } from 'node:buffer';
import type { MaybePromise } from '../async/maybe-promise';
import { TimeSlice } from '../async/time-slice';
import { JsonReading } from './json-reading';
import { JSON_BOUNDS, type Json, type JsonBounds, JsonFault } from './json-value';

/** Maximum size of a document that is read in one turn, which takes a millisecond or two. */
const SHORT_BYTES = 64 * 1024;
/** Bytes that are decoded between two checks of the time. Non-ASCII text takes 3 ms for each megabyte. */
const DECODED = 256 * 1024;
/** UTF-16 code units that are parsed between two checks of the time. */
const STEP = 16 * 1024;

/**
 * Reads one JSON value (RFC 8259) and nothing after it. It is stricter than `JSON.parse`: it refuses
 * duplicate names (compared after decoding), NUL, half of a surrogate pair, invalid UTF-8 and a byte order
 * mark. Every number keeps its value. So another parser reads the same values from the same bytes.
 * Long documents are read in time slices; then the result is a promise.
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

/** Returns the last offset up to `place` at which a UTF-8 character begins, or the end of the bytes. */
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
