import { randomUUID } from 'node:crypto';
import type { Principal } from '../../src/kernel/principal';
import { AuditedSearches } from '../../src/sessions/search/audited-searches';
import { as } from '../support/callers';
import { describeDataPath } from '../support/describe';
import { type Answer, type Person, startGateway } from '../support/gateway';
import { type Listed, matching, sampleSessions, storeSessions } from '../support/listed-sessions';
import { IS_LONG } from '../support/volume';
import { type SaidInput, hasInput, repeatInputs, sharingRows, storeInputs } from '../support/recorded-inputs';

type Terms = readonly { sign: '' | '-'; term: string }[];

const INPUTS = [
  'SELECT * FROM public.orders WHERE id = 77',
  'select "Total" from PUBLIC."orders", customers',
  'DROP TABLE orders_2024; -- cleaned up by alice@example.com',
  "UPDATE customers SET name = 'Größe Straße' WHERE id=5e3",
  'DELETE FROM orders/**/USING customers; DROP\tTABLE "tmp"',
  'table drop public order',
  'INSERT INTO log VALUES ($$a-b_c$$, 0x1F, 1.5, 12ab34)',
  'SELECT 東京, имя FROM таблица',
  '\\d+ orders',
];

/** Number of copies of an input. For a word in so many inputs, the search scans the list of sessions. */
const MANY = 1_001;

/** Ways to store the same inputs: in few rows, in shared rows, and in many rows. */
const ROWS = ['few', 'shared', 'many'] as const;

/** GET /sessions?q=. The answers are compared with a check of all words of all inputs. */
describeDataPath('the search of sessions', ({ path }) => {
  const sample = sampleSessions(120);
  const crowded = { ...(sample[1] as Listed), id: randomUUID(), start: '2025-01-01T00:00:00.000000Z' };
  const foreign = sampleSessions(10);
  /** Every fifth session has no input, the others have one to three. Some have the same input twice. */
  const said: SaidInput[] = sample.flatMap((session, n) =>
    Array.from({ length: n % 5 === 0 ? 0 : 1 + (n % 3) }, (_, place) => ({
      session,
      text: INPUTS[(n + (n % 7 === 1 ? 0 : place * 4)) % INPUTS.length] ?? '',
    })),
  );
  let orgId: string;
  let otherOrgId: string;

  beforeAll(async () => {
    const { database } = path.gateway;
    const [org] = await database.query<{ id: string }>('SELECT id FROM organizations');
    const [other] = await database.query<{ id: string }>(
      `INSERT INTO organizations (name) VALUES ('other') RETURNING id`,
    );
    orgId = org?.id ?? '';
    otherOrgId = other?.id ?? '';
    await storeSessions(database, orgId, sample);
    await storeSessions(database, otherOrgId, foreign);
  });

  const search = (query: Readonly<Record<string, string>>, person: Person = 'admin'): Promise<Answer> =>
    path.gateway.call(person, 'GET', `/sessions?${new URLSearchParams(query).toString()}`);
  const ids = (items: readonly { id: string }[]): string[] => items.map(({ id }) => id);
  const asText = (terms: Terms): string => terms.map(({ sign, term }) => `${sign}${term}`).join(' ');
  const auditLines = async (): Promise<{ changes: { field: string; after: unknown }[] }[]> =>
    (await path.gateway.call('admin', 'GET', '/audit/logs?resource_type=sessions&action=search')).body.data;

  const has = (...terms: string[]): Terms =>
    terms.map((term) => (term.startsWith('-') ? { sign: '-', term: term.slice(1) } : { sign: '', term }));
  const queries: readonly Terms[] = [
    has('orders'),
    has('ORDERS', 'customers'),
    has('public.orders'),
    has('"public orders"'),
    has('public."orders"'),
    has('"drop table"'),
    has('"DROP   TABLE"'),
    has('"table drop"'),
    has('drop', 'table'),
    has('orders', '-customers'),
    has('-"drop table"', 'orders'),
    has('orders', '-public.orders', '-"drop table"'),
    has('order*'),
    has('public.ord*'),
    has('or*', '-orders_20*'),
    has('orders_2024'),
    has('alice@example.com'),
    has('größe'),
    has('GRÖSSE'),
    has('straße'),
    has('東京'),
    has('ТАБЛИЦА'),
    has('5e3'),
    has('12ab*'),
    has('0x1F'),
    has('a-b_c'),
    has('77'),
    has('7'),
    has('nothing-has-this'),
    has('foreigner'),
    has('"*"', 'orders'),
  ];

  describe.each(ROWS)('of words in %s rows', (how) => {
    const sessions = how === 'many' ? [...sample, crowded] : sample;
    const inputs = how === 'many' ? [...said, ...INPUTS.map((text) => ({ session: crowded, text }))] : said;

    beforeAll(async () => {
      const { database } = path.gateway;
      await database.query('TRUNCATE session_texts');
      if (how === 'many') await storeSessions(database, orgId, [crowded]);
      await storeInputs(database, orgId, how === 'shared' ? sharingRows(inputs) : inputs);
      if (how === 'many') await repeatInputs(database, crowded.id, MANY);
      await storeInputs(
        database,
        otherOrgId,
        foreign.map((session) => ({ session, text: 'SELECT orders, foreigner' })),
      );
    });

    const having = (terms: Terms): Listed[] =>
      sessions.filter(({ id }) =>
        inputs.some(({ session, text }) => session.id === id && hasInput(text, terms)),
      );

    // promises: SEARCH-1
    it.each(queries.map((terms) => ({ q: asText(terms), terms })))('finds $q', async ({ q, terms }) => {
      const expected = ids(matching(having(terms), {}));
      const { status, body } = await search({ q, limit: '100', count: 'exact' });
      expect([status, ids(body.data), body.total]).toEqual([200, expected, expected.length]);
    });

    it('finds something, and not everything, with most of them', () => {
      const found = queries.map((terms) => having(terms).length);
      expect(found.filter((matches) => matches > 0 && matches < 90).length).toBeGreaterThan(20);
    });

    it('lists a session once, page by page, also if several of its inputs match', async () => {
      const expected = ids(matching(having(has('orders')), {}));
      const hits = inputs.filter(({ text }) => hasInput(text, has('orders')));
      expect(hits.length).toBeGreaterThan(expected.length);
      const found: string[] = [];
      for (let offset = 0; offset <= expected.length; offset += 7) {
        const { body } = await search({ q: 'orders', limit: '7', offset: `${offset}` });
        expect([body.total, body.total_is_capped]).toEqual([expected.length, false]);
        found.push(...ids(body.data));
        expect(body.has_next_page).toBe(found.length < expected.length);
      }
      expect(found).toEqual(expected);
      expect((await search({ q: 'orders', count: 'none' })).body.total).toBeNull();
    });

    it('goes with every other filter', async () => {
      let hits = 0;
      const [one, several] = [has('orders'), has('customers', '-"drop table"')];
      // In `npm test`, tries both searches only for `many`, and one for `few` and `shared`.
      const tried = IS_LONG || how === 'many' ? [one, several] : [how === 'few' ? one : several];
      for (const [name, value] of [
        ['user', 'alice'],
        ['user', 'carol'],
        ['connection', 'orders'],
        ['type', 'database'],
        ['verb', 'connect'],
        ['status', 'open'],
        ['start_date', sessions[60]?.start ?? ''],
        ['end_date', sessions[60]?.start ?? ''],
        ['review.status', 'EXECUTED'],
        ['review.approver', 'dora@example.com'],
        ['batch_id', 'batch-4'],
        ['correlation_id', '=change-3'],
        ['guardrail', 'no-drops'],
      ] as const) {
        for (const terms of tried) {
          const expected = ids(matching(having(terms), { [name]: value }));
          const { body } = await search({ q: asText(terms), [name]: value, limit: '100' });
          expect([name, ids(body.data), body.total]).toEqual([name, expected, expected.length]);
          hits += expected.length > 0 ? 1 : 0;
        }
      }
      expect(hits).toBeGreaterThan(7 * tried.length);
    });

    // promises: SEARCH-2
    it.each(['alice', 'bob'] as const)('is for %s among their own sessions only', async (person) => {
      const own = having(has('orders')).filter(({ subject, machine }) => subject === person && !machine);
      expect(own.length).toBeGreaterThan(2);
      const { body } = await search({ q: 'orders', limit: '100' }, person);
      expect(ids(body.data)).toEqual(ids(matching(own, {})));
      expect(body.total).toBe(own.length);
      const others = own.length < (await search({ limit: '100' }, person)).body.total;
      expect(others).toBe(true);
      expect((await search({ q: 'orders', user: `o'hara` }, person)).body.data).toEqual([]);
    });

    it('is for auditors as for admins, and for a machine its own', async () => {
      const all = ids((await search({ q: 'orders', limit: '100' })).body.data);
      expect(ids((await search({ q: 'orders', limit: '100' }, 'auditor')).body.data)).toEqual(all);
      const { key } = (
        await path.gateway.call('admin', 'POST', '/api-keys', {
          name: `seeker-of-${how}`,
          groups: ['dba'],
        })
      ).body as { key: string };
      expect((await as(path.gateway, key, 'GET', '/sessions?q=orders')).body).toMatchObject({
        data: [],
        total: 0,
      });
    });
  });

  // promises: SEARCH-2
  it('is in the audit log, page by page: who, the words and the filters', async () => {
    const before = (await auditLines()).length;
    const answer = await search(
      { q: 'unmistakable -word', 'review.status': 'EXECUTED', offset: '0' },
      'alice',
    );
    const [line, ...older] = await auditLines();
    expect(older).toHaveLength(before);
    expect(line).toMatchObject({
      actor: { id: 'alice', type: 'user' },
      action: 'search',
      resource_type: 'sessions',
      resource_id: '',
      outcome: 'success',
      status: 200,
      request_id: answer.headers.get('x-request-id'),
      changes: [
        { field: 'q', before: null, after: 'unmistakable -word' },
        { field: 'review.status', before: null, after: 'EXECUTED' },
        { field: 'offset', before: null, after: '0' },
      ],
    });
    await search({ user: 'alice' });
    await search({ q: '' });
    await search({ q: '-only' });
    expect(await auditLines()).toHaveLength(before + 1);
    expect((await path.gateway.call('admin', 'GET', '/audit/verify')).body.valid).toBe(true);
  });

  // promises: SEARCH-2
  it('answers nothing when it cannot be written to the audit log', async () => {
    const { database } = path.gateway;
    await database.query('ALTER TABLE audit_log RENAME TO audit_log_away');
    const answer = await search({ q: 'orders' });
    await database.query('ALTER TABLE audit_log_away RENAME TO audit_log');
    expect([answer.status, answer.body]).toEqual([500, { message: 'internal error' }]);
  });

  it('refuses an empty q', async () => {
    const { status, body } = await search({ q: '' });
    expect([status, body]).toEqual([400, { message: 'the query parameter q has no value' }]);
  });

  it.each([
    ['-orders', /a word to look for/],
    ['-"drop table" -x', /a word to look for/],
    [' ', /a word to look for/],
    ['" "', /a word to look for/],
    ['"', /a word to look for/],
    ['*', /a word to look for/],
    ['& | ! () <-> :*', /a word to look for/],
    ['\u{1F600}', /a word to look for/],
    ['a*', /at least 2 characters/],
    ['orders -public.o*', /at least 2 characters/],
    ['\0', /up to 200 characters/],
    ['orders\0', /up to 200 characters/],
    ['x'.repeat(201), /up to 200 characters/],
    [Array.from({ length: 21 }, (_, n) => `w${n}`).join(' '), /at most 20/],
  ])('refuses q=%j', async (q, message) => {
    const answer = await search({ q });
    expect([answer.status, answer.body]).toEqual([422, { message: expect.stringMatching(message) }]);
  });

  it.each([
    ['q=a&q=b', 422],
    ['q[]=a', 400],
    ['q[a]=b', 400],
    ['q=%00', 422],
    ['Q=orders', 400],
  ])('refuses ?%s', async (query, status) => {
    expect((await path.gateway.call('admin', 'GET', `/sessions?${query}`)).status).toBe(status);
  });

  // promises: SEARCH-1
  it('treats every character as text: no operators, weights or terminators', async () => {
    const all = ids((await search({ q: 'orders', limit: '100' })).body.data);
    for (const q of [
      `orders & ! | ( ) <->`,
      `orders:*`,
      `'orders'`,
      `''orders`,
      `orders\\`,
      `\\'orders`,
      `!orders`,
      `(orders`,
      `orders')`,
      `<orders>`,
      `orders \u{1F600}`,
      `orders "`,
      `"orders`,
      ':orders',
      'orders --',
      'orders - -',
    ]) {
      const { status, body } = await search({ q, limit: '100' });
      expect([q, status, ids(body.data)]).toEqual([q, 200, all]);
    }
    for (const q of [
      `x'); DROP TABLE session_texts; --`,
      `orders' || pg_sleep(9) || '`,
      ':search_0',
      '$99',
      `orders:A`,
      `orders:*B & secret`,
      '½ ² ①',
      '½ -orders',
      'x'.repeat(200),
      Array.from({ length: 20 }, (_, n) => `w${n}*`).join(' '),
      'a.'.repeat(100),
    ]) {
      const { status, body } = await search({ q });
      expect([q, status, body.data]).toEqual([q, 200, []]);
    }
  });

  // promises: SEARCH-3
  it('stops a slow search, and suggests what to do', async () => {
    const searches = path.gateway.app.get(AuditedSearches);
    const read = { record: async () => undefined };
    const somebody = { userId: 'somebody' } as Principal;
    const slow = searches.run(read, somebody, {}, async (db) => {
      expect(await db.query('SHOW statement_timeout')).toEqual([{ statement_timeout: '10s' }]);
      await db.query('SET LOCAL statement_timeout = 1');
      await db.query('SELECT pg_sleep(9)');
    });
    await expect(slow).rejects.toMatchObject({
      code: 'unprocessable',
      message: 'the search took too long: look for rarer words, or give start_date and end_date',
    });
    const faulty = searches.run(read, somebody, {}, (db) => db.query('SELECT 1 / 0'));
    await expect(faulty).rejects.toThrow('division by zero');
  });

  // promises: SEARCH-3
  it('leaves database connections for others: each person’s searches are serialized', async () => {
    const beside = await startGateway({ beside: path.gateway, environment: { DATABASE_POOL_SIZE: '2' } });
    try {
      const many = await Promise.all(
        Array.from({ length: 12 }, () => beside.call('admin', 'GET', '/sessions?q=orders')),
      );
      const statuses = many.map(({ status }) => status);
      expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(4);
      expect(statuses.every((status) => status === 200 || status === 429)).toBe(true);
      const refused = many.find(({ status }) => status === 429);
      expect(refused?.headers.get('retry-after')).toBe('1');
      expect((await beside.call('admin', 'GET', '/sessions?q=orders')).status).toBe(200);
    } finally {
      await beside.close();
    }
  });
});
