import { createHash, hash } from 'node:crypto';
import type { MaybePromise } from '../async/maybe-promise';
import { inSlices } from '../async/time-slice';
import { isLargeJson, textParts } from './json-pieces';
import { isObject, type Json } from './json-value';
import { canonicalJson } from './write-json';

/** Number of names that are sorted in one step. */
const FEW_NAMES = 1_024;
/** Number of characters that are hashed in one step. */
const AT_ONCE = 64 * 1024;

/**
 * Returns the SHA-256 of the canonical JSON of a value; see `canonicalJson`. A large value is hashed in time
 * slices and gives a promise, because sorting and writing 60 000 names in one step would block the event loop
 * for more than 100 ms.
 */
export function canonicalHash(value: Json): MaybePromise<Buffer> {
  return isLargeJson(value) ? inSlices(hashing(value)) : hash('sha256', canonicalJson(value), 'buffer');
}

function* hashing(value: Json): Generator<undefined, Buffer> {
  const sum = createHash('sha256');
  let gathered = '';
  for (const part of canonicalParts(value)) {
    gathered += part;
    if (gathered.length >= AT_ONCE) {
      sum.update(gathered);
      gathered = '';
    }
    yield;
  }
  return sum.update(gathered).digest();
}

/** Yields the canonical JSON in parts. A part is empty if its step writes no text. */
function* canonicalParts(value: Json): Generator<string> {
  if (!isLargeJson(value)) yield canonicalJson(value);
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield index === 0 ? '[' : ',';
      yield* canonicalParts(item);
    }
    yield ']';
  } else if (isObject(value)) {
    let before = '{';
    for (const name of yield* sorted(Object.keys(value))) {
      yield `${before}${JSON.stringify(name)}:`;
      yield* canonicalParts(value[name]!);
      before = ',';
    }
    yield '}';
  } else if (typeof value === 'string') yield* textParts(value);
}

/** Sorts names by UTF-16 code units, in steps. Yields an empty text after each step. */
function* sorted(names: string[]): Generator<string, string[]> {
  yield '';
  if (names.length <= FEW_NAMES) return names.sort();
  const middle = Math.ceil(names.length / 2);
  const left = yield* sorted(names.slice(0, middle));
  const right = yield* sorted(names.slice(middle));
  const merged: string[] = [];
  for (let [at, other] = [0, 0]; at < left.length || other < right.length;) {
    const [first, second] = [left[at], right[other]];
    const isFirst = second === undefined || (first !== undefined && first < second);
    merged.push((isFirst ? first : second)!);
    if (isFirst) at += 1;
    else other += 1;
    if (merged.length % FEW_NAMES === 0) yield '';
  }
  return merged;
}
