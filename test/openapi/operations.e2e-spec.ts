import { DataSource } from 'typeorm';
import { describeScoped } from '../support/describe';
import { watchNestedConnections } from '../support/nested-connections';
import { caseFor } from '../support/operation-cases';
import { ownCases } from '../support/operation-own-cases';
import { startWorld } from '../support/operation-world';
import { isPaged, operations } from '../support/operations';

/** Faults of the gateway or of what it depends on: no caller can bring them about. */
const NOT_THE_CALLERS = new Set(['500', '503']);

/** Decided before a route is chosen, and so tested once for all of them. */
const BEFORE_ROUTES = new Set(['408', '417', '431']);

const documented = operations.flatMap((operation) =>
  operation.statuses
    .filter((status) => !NOT_THE_CALLERS.has(status) && !BEFORE_ROUTES.has(status))
    .map((status) => ({ name: `${operation.id} ${status}`, operation, status })),
);

describeScoped('every operation of the API description', (begin) => {
  const world = begin(startWorld);
  let nested: readonly string[];

  beforeAll(async () => {
    nested = watchNestedConnections(world.gateway.app.get(DataSource));
  });

  it('has no case left over from a status that it no longer documents', () => {
    const known = new Set(documented.map(({ name }) => name));
    expect(Object.keys(ownCases).filter((name) => !known.has(name))).toEqual([]);
  });

  // promises: ERROR-1, HTTP-5
  it.each(documented)('$name', async ({ name, operation, status }) => {
    const bring = caseFor(operation, status);
    if (bring === undefined) throw new Error(`no case for ${name}: test/support/operation-own-cases.ts`);
    const answer = await bring(world, operation);
    expect(`${answer.status} ${answer.status >= 300 ? answer.text : ''}`).toMatch(new RegExp(`^${status} `));
    if (answer.status >= 400) expect(answer.body).toEqual({ message: expect.any(String) });
    if (answer.status === 401) expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    if (answer.status === 429) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    if (answer.status === 204) expect(answer.text).toBe('');
  });

  describe('that lists', () => {
    const lists = operations.filter(isPaged);
    const absurd = ['page_size=1001', 'page_size=-1', 'page_size=abc', 'page=0', 'page=1e3', 'page=1000001'];
    const cases = lists.flatMap((operation) =>
      absurd.map((query) => ({ id: operation.id, operation, query })),
    );

    // promises: HTTP-12
    it.each(cases)('$id refuses $query', async ({ operation, query }) => {
      const answer = await world.send(operation, { query: `?${query}` });
      expect([answer.status, answer.body]).toEqual([
        400,
        { message: expect.stringMatching(/^page(_size)? must be a whole number from [01] to \d+$/) },
      ]);
    });

    // promises: HTTP-12
    it.each(lists)('$id bounds its page', async (operation) => {
      for (const [query, page, size] of [
        ['', 1, 1000],
        ['?page_size=0', 1, 1000],
        ['?page_size=1', 1, 1],
        ['?page=1000000&page_size=1000', 1_000_000, 1000],
      ] as const) {
        const { status, body } = await world.send(operation, { query });
        expect([status, body.pages]).toEqual([200, { page, size, total: expect.any(Number) }]);
        expect(body.data.length).toBe(page > 1 ? 0 : Math.min(size, body.pages.total));
      }
    });
  });

  describe('answers what it documents', () => {
    const odd = operations.flatMap((operation) => {
      const named = operation.path.includes('{') ? ['%00', '%E0%A4%A', '%ED%A0%80', 'x'.repeat(4_000)] : [];
      return named.map((id) => ({ id: operation.id, shown: id.slice(0, 20), operation, path: id }));
    });

    it.each(odd)('$id, when the path says $shown', async ({ operation, path }) => {
      const body = world.body(operation.id, 'something');
      const target = operation.path.replace(/\{\w+\}/, path);
      const answer = await world.gateway.call('admin', operation.method, target, body);
      expect(operation.statuses).toContain(String(answer.status));
      expect(answer.status).toBeLessThan(500);
      expect(answer.status).toBeGreaterThanOrEqual(400);
    });

    const values = ['', 'x'.repeat(5_000), '%00', '[]', '-1'];
    const queried = operations.flatMap((operation) =>
      operation.parameters
        .filter((parameter) => parameter.in === 'query')
        .map(({ name }) => ({ id: operation.id, operation, parameter: name })),
    );

    it.each(queried)('$id, whatever $parameter is', async ({ operation, parameter }) => {
      const id = await world.make(operation);
      for (const query of [...values.map((value) => `${parameter}=${value}`), `${parameter}[a]=b`]) {
        const answer = await world.send(operation, { id, query: `?${query}` });
        expect(operation.statuses).toContain(String(answer.status));
        expect(answer.status).toBeLessThan(500);
      }
    });
  });

  it('takes no second pool connection within a transaction', () => {
    expect(nested).toEqual([]);
  });
});
