import { createHash } from 'node:crypto';
import { type JsonObject, canonicalHash } from '../../../kernel/json/json';
import type { MessageDelivery } from '../delivery/delivery';
import { isList, itemsIn, withoutItems } from './list-items';

/** A list with more pages ends here: a server that makes up new cursors never ends. */
const MAX_PAGES = 500;

/** 48 bits: two of a thousand pages have the same ones once in 500 million lists. */
const DIGEST_LETTERS = 8;

/** Reason for ending a list before its server ends it. */
export type WalkEnd = 'cursor repeats' | 'page repeats' | 'too many pages';

/**
 * A walk through the pages of a list of an MCP server. It ends where a page or a cursor comes again: a client
 * that followed the cursor would read the same pages without end. What was seen travels inside the sealed
 * cursor, so that no gateway has to remember it.
 */
export class ListWalk {
  /** @param trail of the cursor that is followed; empty for the first page. Reading a page extends it. */
  constructor(public trail: readonly string[] = []) {}

  /**
   * Reads the next page. Returns why the list ends there; undefined when it goes on, or when the server ends
   * it.
   * @param result of the server, before anything is taken out of it
   */
  async read(method: string, result: JsonObject): Promise<WalkEnd | undefined> {
    const { nextCursor: next } = result;
    const { trail } = this;
    if (typeof next !== 'string') return undefined;
    const items = itemsIn(method, result);
    // A server may give empty pages while it searches.
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

/** The end of a walk, for the recording and the log. */
export function walkEndMessage(method: string, end: WalkEnd): string {
  return `The server ${WORDS[end]}: the gateway ends its ${method} here.`;
}

/**
 * A result without a cursor that leads back to what the client has read. The recording contains the reason.
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
  // The client has read these items.
  return end === 'page repeats' ? withoutItems(method, rest) : rest;
}

function short(digest: Buffer): string {
  return digest.toString('base64url').slice(0, DIGEST_LETTERS);
}
