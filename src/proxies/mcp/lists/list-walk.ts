import { createHash } from 'node:crypto';
import { type JsonObject, canonicalHash } from '../../../kernel/json/json';
import type { MessageDelivery } from '../delivery/delivery';
import { isList, itemsIn, withoutItems } from './list-items';

/** Maximum number of pages in a list, because a server that invents new cursors would never end the list. */
const MAX_PAGES = 500;

/**
 * Length of a digest: 8 base64 characters, which are 48 bits. Among the 500 thousand pairs of a thousand
 * pages, two have the same digest once in 500 million lists.
 */
const DIGEST_LETTERS = 8;

/** Reason why the gateway ends a list before the server ends it. */
export type WalkEnd = 'cursor repeats' | 'page repeats' | 'too many pages';

/**
 * A walk through the pages of a server's list. Ends when a page or a cursor repeats, because a client would
 * read the same pages without end. Digests of the pages and cursors seen so far are part of the sealed
 * cursor, so that no gateway must store them.
 */
export class ListWalk {
  /**
   * @param trail digests of the earlier pages and cursors, from the cursor of the request; empty for the
   * first page. Reading a page extends the trail.
   */
  constructor(public trail: readonly string[] = []) {}

  /**
   * Reads the next page. Returns why the gateway ends the list here; undefined if the list continues or the
   * server ends it.
   * @param result the server's result, before any items are removed
   */
  async read(method: string, result: JsonObject): Promise<WalkEnd | undefined> {
    const { nextCursor: next } = result;
    const { trail } = this;
    if (typeof next !== 'string') return undefined;
    const items = itemsIn(method, result);
    // Empty pages may repeat, because a server may send them while it searches.
    const page = items.length === 0 ? undefined : `p${short(await canonicalHash(items))}`;
    const cursor = `c${short(createHash('sha256').update(next).digest())}`;
    const seen = new Set(trail);
    const end = endOf(seen, page, cursor);
    if (end === undefined) this.trail = [...trail, ...(page === undefined ? [] : [page]), cursor];
    return end;
  }
}

function endOf(seen: ReadonlySet<string>, page: string | undefined, cursor: string): WalkEnd | undefined {
  if (page !== undefined && seen.has(page)) return 'page repeats';
  if (seen.has(cursor)) return 'cursor repeats';
  const cursors = [...seen].filter((one) => one.startsWith('c')).length;
  return cursors + 1 >= MAX_PAGES ? 'too many pages' : undefined;
}

const WORDS: Readonly<Record<WalkEnd, string>> = {
  'cursor repeats': 'gave a cursor that it had given before',
  'page repeats': 'gave a page that it had given before',
  'too many pages': `gave ${MAX_PAGES} pages, and more would follow`,
};

/** Returns the message about the end of a walk, for the recording and the log. */
export function walkEndMessage(method: string, end: WalkEnd): string {
  return `The server ${WORDS[end]}: the gateway ends its ${method} here.`;
}

/**
 * Returns the result. If the gateway ends the list here, removes the cursor from the result and records the
 * reason.
 * @throws RecordingFailed
 */
export async function advancing(
  method: string,
  result: JsonObject,
  walk: ListWalk | undefined,
  delivery: MessageDelivery,
): Promise<JsonObject> {
  const end = isList(method) ? await walk?.read(method, result) : undefined;
  if (end === undefined) return result;
  await delivery.refused(walkEndMessage(method, end));
  const { nextCursor: _repeated, ...rest } = result;
  // Removes the items of a repeated page, because the client already has them.
  return end === 'page repeats' ? withoutItems(method, rest) : rest;
}

function short(digest: Buffer): string {
  return digest.toString('base64url').slice(0, DIGEST_LETTERS);
}
