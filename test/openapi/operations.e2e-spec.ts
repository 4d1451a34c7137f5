import { DataSource } from 'typeorm';
import { describeScoped } from '../support/describe';
import { watchNestedConnections } from '../support/nested-connections';
import { caseFor } from '../support/operation-cases';
import { ownCases } from '../support/operation-own-cases';
import { startWorld } from '../support/operation-world';
import { type Operation, isPaged, operations } from '../support/operations';
import { turnOf } from '../support/volume';

/** Statuses for faults of the gateway or of its dependencies, which no caller can cause. */
const NOT_THE_CALLERS = new Set(['500', '503']);

/** Statuses that are decided before the route is known, so they are tested once for all routes. */
const BEFORE_ROUTES = new Set(['408', '417', '431']);

const documented = (operation: Operation) =>
  operation.statuses
    .filter((status) => !NOT_THE_CALLERS.has(status) && !BEFORE_ROUTES.has(status))
    .map((status) => ({ name: `${operation.id} ${status}`, status }));

/**
 * Statuses that all operations answer alike. In `npm test`, each operation is tested for only some of them,
 * because access/route-matrix and http/routes test every route for most of them.
 */
const ALIKE = ['401', '403', '405', '413', '415', '429'];

describeScoped('every operation of the API description', (begin) => {
  const world = begin(startWorld);
  let nested: readonly string[];

  beforeAll(async () => {
    nested = watchNestedConnections(world.gateway.app.get(DataSource));
  });

  it('has no case left over from a status that it no longer documents', () => {
    const known = new Set(operations.flatMap(documented).map(({ name }) => name));
    expect(Object.keys(ownCases).filter((name) => !known.has(name))).toEqual([]);
  });

  // promises: ERROR-1, HTTP-5
  it.each(operations)('$id has every status that it documents', async (operation) => {
    const failed: string[] = [];
    const turn = turnOf(ALIKE, operations.indexOf(operation), 2);
    for (const { name, status } of documented(operation)) {
      const bring = caseFor(operation, status);
      if (bring === undefined) throw new Error(`no case for ${name}: test/support/operation-own-cases.ts`);
      if (ALIKE.includes(status) && ownCases[name] === undefined && !turn.includes(status)) continue;
      const answer = await bring(world, operation);
      if (String(answer.status) !== status) {
        failed.push(`${name}: ${answer.status} ${answer.text}`);
        continue;
      }
      if (answer.status >= 400) expect([name, answer.body]).toEqual([name, { message: expect.any(String) }]);
      if (answer.status === 401)
        expect([name, answer.headers.get('www-authenticate')]).toEqual([name, 'Bearer']);
      if (answer.status === 429) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      if (answer.status === 204) expect([name, answer.text]).toEqual([name, '']);
    }
    expect(failed).toEqual([]);
  });

  describe('that lists', () => {
    const lists = operations.filter(isPaged);
    const absurd = ['page_size=1001', 'page_size=-1', 'page_size=abc', 'page=0', 'page=1e3', 'page=1000001'];

    // promises: HTTP-12
    it.each(lists)('$id refuses absurd pages', async (operation) => {
      for (const query of absurd) {
        const answer = await world.send(operation, { query: `?${query}` });
        expect([query, answer.status, answer.body]).toEqual([
          query,
          400,
          { message: expect.stringMatching(/^page(_size)? must be a whole number from [01] to \d+$/) },
        ]);
      }
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
    const named = operations.filter(({ path }) => path.includes('{'));

    it.each(named)('$id, whatever its path says', async (operation) => {
      for (const id of ['%00', '%E0%A4%A', '%ED%A0%80', 'x'.repeat(4_000)]) {
        const body = world.body(operation.id, 'something');
        const target = operation.path.replace(/\{\w+\}/, id);
        const { status } = await world.gateway.call('admin', operation.method, target, body);
        const isKnown = operation.statuses.includes(String(status));
        expect([id.slice(0, 20), status, isKnown && status < 500 && status >= 400]).toEqual([
          id.slice(0, 20),
          status,
          true,
        ]);
      }
    });

    const values = ['=', `=${'x'.repeat(5_000)}`, '=%00', '=[]', '=-1', '[a]=b'];
    const queriesOf = (operation: Operation): string[] =>
      operation.parameters
        .filter((parameter) => parameter.in === 'query')
        .flatMap(({ name }, index) =>
          turnOf(values, operations.indexOf(operation) + index, 3).map((value) => `${name}${value}`),
        );

    it.each(operations.filter((operation) => queriesOf(operation).length > 0))(
      '$id, whatever its parameters are',
      async (operation) => {
        const id = await world.make(operation);
        for (const query of queriesOf(operation)) {
          const { status } = await world.send(operation, { id, query: `?${query}` });
          const isKnown = operation.statuses.includes(String(status));
          expect([query, status, isKnown && status < 500]).toEqual([query, status, true]);
        }
      },
    );
  });

  it('takes no second pool connection within a transaction', () => {
    expect(nested).toEqual([]);
  });
});
