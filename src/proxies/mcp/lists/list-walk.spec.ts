import * as fc from '../../../../test/support/fast-check';
import { ListWalk } from './list-walk';

interface Page {
  readonly items: readonly string[];
  readonly next?: number;
}

/**
 * Reads all pages by following every cursor, as a client does. Each page is read by a new `ListWalk`, which
 * knows only the earlier cursors, from the trail in its cursor.
 */
async function followed(pages: readonly Page[], limit = 10_000) {
  const read: number[] = [];
  let trail: readonly string[] = [];
  for (let at: number | undefined = 0; at !== undefined && read.length < limit;) {
    const page: Page = pages[at] ?? { items: [] };
    read.push(at);
    const walk = new ListWalk(trail);
    const result = {
      tools: page.items.map((name) => ({ name })),
      ...(page.next === undefined ? {} : { nextCursor: String(page.next) }),
    };
    const end = await walk.read('tools/list', result);
    trail = walk.trail;
    if (end !== undefined) return { read, end };
    at = page.next;
  }
  return { read, end: undefined };
}

describe('a walk through a list', () => {
  it('reads what each cursor leads to, once, whatever leads where', async () => {
    const page = fc.nat(11).map((next) => next);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(page), { minLength: 1, maxLength: 12 }), async (nexts) => {
        const pages = nexts.map((next, at) => ({
          items: [`tool-${at}`],
          ...(next === null ? {} : { next }),
        }));
        const { read, end } = await followed(pages);
        const expected: number[] = [];
        for (let at: number | undefined = 0; at !== undefined && !expected.includes(at); at = pages[at]?.next)
          expected.push(at);
        // Only the first page may come twice, because no cursor had led to it when it was first read.
        expect([...new Set(read)]).toEqual(expected);
        expect(read.length - expected.length).toBeLessThanOrEqual(1);
        const last = pages[read.at(-1) ?? 0];
        expect(end === undefined).toBe(last?.next === undefined);
      }),
    );
  });

  it('ends where a page comes again under other cursors', async () => {
    const pages = Array.from({ length: 100 }, (_, at) => ({ items: [`tool-${at % 3}`], next: at + 1 }));
    expect(await followed(pages)).toEqual({ read: [0, 1, 2, 3], end: 'page repeats' });
  });

  it('goes on over empty pages, not without end', async () => {
    const empty = (count: number): Page[] =>
      Array.from({ length: count }, (_, at) => ({ items: [], next: at + 1 }));
    expect((await followed([...empty(20), { items: ['late'] }])).end).toBeUndefined();
    const { read, end } = await followed(empty(2_000));
    expect([read.length, end]).toEqual([500, 'too many pages']);
  });
});
