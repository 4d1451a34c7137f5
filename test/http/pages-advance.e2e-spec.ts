import { describeScoped } from '../support/describe';
import { startWorld } from '../support/operation-world';
import { type Operation, isPaged, operations } from '../support/operations';
import { scimProvider } from '../support/scim/provider';

/**
 * Matches names of parameters for a position in a list. This file must test every list that has one of them.
 */
const POSITIONS = /^(page|offset|skip|startindex|from|after|before|since)$|cursor|page_?token/i;

/** Lists whose pages a client reads by `page`. Other lists have their own tests below. */
const paged = operations.filter(isPaged);
const OTHERS = ['listSessions', 'verifySessionLedger'];

/** Maximum number of pages that a client requests: one for each item, and one more. */
const most = (total: number): number => total + 1;

/** A client that follows the pages of each list reaches their end, at the last item. */
describeScoped('the pages of a list', (begin) => {
  const world = begin(startWorld);
  const admin = async (path: string) => {
    const answer = await world.gateway.call('admin', 'GET', path);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };

  it('are those of every route that has a position', () => {
    const positioned = operations.filter(
      ({ method, parameters }) =>
        method === 'GET' && parameters.some((one) => one.in === 'query' && POSITIONS.test(one.name)),
    );
    const walked = [...paged.map(({ id }) => id), ...OTHERS];
    expect(positioned.map(({ id }) => id).filter((id) => !walked.includes(id))).toEqual([]);
    expect(walked.length).toBeGreaterThan(15);
  });

  // promises: HTTP-12
  it.each(paged.map((operation) => [operation.id, operation] as const))(
    'advance to the end: %s',
    async (_, operation: Operation) => {
      const id = await world.make(operation);
      const read = async (page: number) => {
        const { status, body } = await world.send(operation, { id, query: `?page_size=1&page=${page}` });
        expect(status).toBe(200);
        return body as { data: object[]; pages: { page: number; size: number; total: number } };
      };
      const seen: string[] = [];
      let total = 0;
      for (let page = 1; ; page++) {
        const { data, pages } = await read(page);
        total = pages.total;
        expect([pages.page, pages.size, data.length]).toEqual([page, 1, page <= total ? 1 : 0]);
        seen.push(...data.map((item) => JSON.stringify(item)));
        expect(page).toBeLessThanOrEqual(most(total));
        if (page * pages.size >= total) break;
      }
      expect([seen.length, new Set(seen).size]).toEqual([total, total]);
      // Every page after the last one is empty.
      for (const page of [total + 1, total + 2, 1_000_000]) {
        const { data, pages } = await read(page);
        expect([data, pages]).toEqual([[], { page, size: 1, total }]);
      }
    },
  );

  it('advance to the end: listSessions', async () => {
    for (let n = 0; n < 3; n++) await world.path.run(`SELECT ${n}`);
    const seen: string[] = [];
    for (let offset = 0; ; offset++) {
      const { data, has_next_page: more } = await admin(`/sessions?limit=1&offset=${offset}`);
      seen.push(...(data as { id: string }[]).map(({ id }) => id));
      // A page before the last must not be empty, because clients advance by the number of items read.
      if (more) expect(data).toHaveLength(1);
      if (!more) break;
    }
    const all = await admin('/sessions?limit=100');
    expect(seen).toEqual(all.data.map(({ id }: { id: string }) => id));
    expect(seen.length).toBeGreaterThanOrEqual(3);
    for (const offset of [seen.length, seen.length + 1, 10_000]) {
      const { data, has_next_page: more } = await admin(`/sessions?limit=1&offset=${offset}`);
      expect([data, more]).toEqual([[], false]);
    }
  });

  it('advance to the end: verifySessionLedger', async () => {
    const { head } = await admin('/sessions/verify');
    for (const query of ['', '?from=1', `?from=${head}`, `?from=${head + 1}`, `?from=${head + 99}`]) {
      let at = 0;
      for (let next: number | null = null, asked = query; ; asked = `?from=${next}`) {
        const answer = await admin(`/sessions/verify${asked}`);
        next = answer.next as number | null;
        if (next === null) break;
        expect(next).toBeGreaterThan(at);
        expect(next).toBeLessThanOrEqual(answer.head);
        at = next;
      }
    }
  });

  it('advance to the end: SCIM, by the number of items on a page', async () => {
    const provider = await scimProvider(world.gateway);
    const users = [];
    for (let n = 0; n < 3; n++) users.push(await provider.user(`paged-${n}`));
    await provider.group('paged', users);
    await provider.group('paged too', []);
    for (const kind of ['Users', 'Groups']) {
      const read = async (query: string) => (await provider.send('GET', `/${kind}?${query}`)).body;
      const { totalResults: total } = await read('count=0');
      expect(total).toBeGreaterThanOrEqual(2);
      const seen: string[] = [];
      let requests = 0;
      for (let at = 1; at <= total; requests++) {
        const page = await read(`startIndex=${at}&count=1`);
        expect([page.startIndex, page.itemsPerPage, page.Resources.length]).toEqual([at, 1, 1]);
        seen.push(page.Resources[0].id as string);
        at += page.itemsPerPage as number;
      }
      expect([requests, new Set(seen).size]).toEqual([total, total]);
      // A start before 1 means 1 (RFC 7644). A start after the last item returns no items.
      for (const at of [0, -5]) expect((await read(`startIndex=${at}&count=1`)).startIndex).toBe(1);
      for (const at of [total + 1, total + 2, 999_999_999]) {
        const page = await read(`startIndex=${at}&count=1`);
        expect([page.totalResults, page.startIndex, page.itemsPerPage, page.Resources ?? []]).toEqual([
          total,
          at,
          0,
          [],
        ]);
      }
    }
  });
});
