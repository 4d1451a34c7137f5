import type { MaybePromise } from '../async/maybe-promise';
import { piecesOf } from '../text/pieces';
import { TimeSlice } from '../async/time-slice';
import type { Json } from './json-value';
import { writeJson } from './write-json';

/** Number of characters that are rendered in one step. */
const AT_ONCE = 64 * 1024;
/** Estimated number of characters of any value that is not a text. */
const SCALAR = 8;

/**
 * Yields the result of `JSON.stringify(value)` in pieces of about 64 Ki characters, for an object or array.
 * Used for answers of megabytes, because rendering them in one step would block the event loop.
 */
export function* jsonPieces(value: object, write: Write = JSON.stringify): Generator<string> {
  let gathered = '';
  for (const part of parts(value, write)) {
    gathered += part;
    if (gathered.length < AT_ONCE) continue;
    yield gathered;
    gathered = '';
  }
  if (gathered !== '') yield gathered;
}

/**
 * Whether rendering the value takes more than one piece. This is estimated from the length of its texts and
 * the number of its values.
 */
export function isLargeJson(value: unknown): boolean {
  return roomAfter(value, AT_ONCE) < 0;
}

/** Returns the result of `writeJson`. Writes a large value in time slices, and then returns a promise. */
export function writeJsonInSlices(value: Json): MaybePromise<string> {
  return isLargeJson(value) ? gathered(value as object) : writeJson(value);
}

/** Writes a large value in time slices. @param each receives the pieces in order, and is awaited */
export async function eachJsonPiece(
  value: object,
  each: (piece: string) => MaybePromise<void>,
): Promise<void> {
  const slice = new TimeSlice();
  for (const piece of jsonPieces(value, (part) => writeJson(part as Json))) {
    await each(piece);
    if (slice.isOver) await slice.next();
  }
}

async function gathered(value: object): Promise<string> {
  const pieces: string[] = [];
  await eachJsonPiece(value, (piece) => void pieces.push(piece));
  return pieces.join('');
}

type Write = (value: unknown) => string | undefined;

function* parts(value: unknown, write: Write): Generator<string> {
  if (!isLargeJson(value)) yield write(value) ?? 'null';
  else if (typeof value === 'string') yield* textParts(value);
  else if (Array.isArray(value)) yield* arrayParts(value, write);
  else yield* objectParts(value as object, write);
}

/** Yields a text as a JSON string, in parts. */
export function* textParts(text: string): Generator<string> {
  yield '"';
  for (const piece of piecesOf(text, AT_ONCE)) yield JSON.stringify(piece).slice(1, -1);
  yield '"';
}

function* arrayParts(items: readonly unknown[], write: Write): Generator<string> {
  yield '[';
  for (const [index, item] of items.entries()) {
    if (index > 0) yield ',';
    yield* parts(item, write);
  }
  yield ']';
}

function* objectParts(object: object, write: Write): Generator<string> {
  let before = '{';
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined || typeof value === 'function' || typeof value === 'symbol') continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* parts(value, write);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

/** Number of characters of `room` that are left after the value; negative if the value does not fit. */
function roomAfter(value: unknown, room: number): number {
  if (typeof value === 'string') return room - value.length;
  if (typeof value !== 'object' || value === null || hasOwnForm(value)) return room - SCALAR;
  let left = room - SCALAR;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left >= 0; index += 1) left = roomAfter(value[index], left);
    return left;
  }
  for (const name in value) {
    if (left < 0) break;
    left = roomAfter((value as Record<string, unknown>)[name], left - name.length);
  }
  return left;
}

/** Whether the value defines its own JSON form, such as a `Date`. */
function hasOwnForm(value: object): boolean {
  return typeof (value as { toJSON?: unknown }).toJSON === 'function';
}
