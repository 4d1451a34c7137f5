import { isName, normalizedName } from '../../src/kernel/text/names';
import { Client } from 'pg';
import { describeDataPath } from '../support/describe';
import { as } from '../support/callers';
import type { TestDatabase } from '../support/database';
import type { Answer, Person } from '../support/gateway';
import { createRule, denyWords } from '../support/guardrails';
import { IS_LONG, volume } from '../support/volume';
import {
  type Listed,
  type Query,
  RULES,
  isSeenBy,
  matching,
  sampleSessions,
  storeSessions,
} from '../support/listed-sessions';

/**
 * GET /sessions: which sessions each person gets, in which pages. The answers are compared with a filter in
 * memory that checks each session.
 */
describeDataPath('the list of sessions', ({ path }) => {
  const sessions = sampleSessions(240);
  let orgId: string;

  beforeAll(async () => {
    const { database } = path.gateway;
    const [org] = await database.query<{ id: string }>('SELECT id FROM organizations');
    orgId = org?.id ?? '';
    await storeSessions(database, orgId, sessions);
    // Another organization has sessions of the same people, groups and rules.
    const [other] = await database.query<{ id: string }>(
      `INSERT INTO organizations (name) VALUES ('other') RETURNING id`,
    );
    await storeSessions(database, other?.id ?? '', sampleSessions(60));
  });

  const list = (query: Query | string = '', person: Person = 'admin'): Promise<Answer> =>
    path.gateway.call(person, 'GET', `/sessions?${new URLSearchParams(query).toString()}`);
  const ids = (items: readonly { id: string }[]): string[] => items.map(({ id }) => id);

  /** Reads the whole list page by page. Returns the ids. */
  async function whole(query: Query, person: Person = 'admin', limit = 100): Promise<string[]> {
    const found: string[] = [];
    for (let offset = 0; ; offset += limit) {
      const { status, body } = await list({ ...query, limit: `${limit}`, offset: `${offset}` }, person);
      expect(status).toBe(200);
      found.push(...ids(body.data));
      if (body.has_next_page !== true) {
        expect(body).toMatchObject({ total: found.length, total_is_capped: false });
        return found;
      }
      expect(body.data).toHaveLength(limit);
      expect(body.total).toBeGreaterThan(found.length);
    }
  }

  const values: Readonly<Record<string, readonly string[]>> = {
    user: ['alice', 'alice@example.com', 'carol', `o'hara`, '<b>eve</b>@example.com', 'ALICE', 'of-nobody'],
    connection: ['orders', `=cmd|'/c'!A1`, '<script>alert(1)</script>', 'Orders', 'order_'],
    type: ['database', 'application', 'custom'],
    verb: ['connect', 'exec'],
    status: ['open', 'done', 'ready'],
    start_date: [sessions[70]?.start ?? '', '2026-03-01T02:00:00+02:00', '2030-01-01T00:00:00Z'],
    end_date: [sessions[71]?.start ?? '', `${sessions[40]?.start.slice(0, 23)}Z`, '2026-04-01T00:00:00.5Z'],
    'review.status': ['PENDING', 'EXECUTED', 'REJECTED', 'REVOKED', 'EXPIRED', 'UNKNOWN'],
    'review.approver': ['bob', 'dora@example.com', 'carol'],
    batch_id: ['batch-4', 'batch-'],
    correlation_id: ['=change-3', 'change-3'],
    guardrail: [RULES[0]?.rule_id ?? '', RULES[1]?.rule_name ?? '', (RULES[1]?.rule_id ?? '').toUpperCase()],
  };
  const single = Object.entries(values).flatMap(([name, some]) => some.map((value) => ({ name, value })));
  /** Changes the id of a rule to lower case, because queries may have upper case but rows have lower case. */
  const asStored = (query: Query): Query =>
    query['guardrail'] === undefined ? query : { ...query, guardrail: lowered(query['guardrail']) };
  const lowered = (rule: string): string => (/^[0-9A-F-]{36}$/.test(rule) ? rule.toLowerCase() : rule);

  // promises: LIST-5, HTTP-21, LIST-1
  it('is all of the organization, newest first, for auditors and admins', async () => {
    const all = ids(matching(sessions, {}));
    for (const limit of [volume(37, 7), 100]) expect(await whole({}, 'admin', limit)).toEqual(all);
    expect(await whole({}, 'auditor')).toEqual(all);
    expect((await list()).body.data).toHaveLength(20);
    expect((await list('limit=1&offset=239')).body).toMatchObject({ total: 240, has_next_page: false });
  });

  // promises: SESSION-9, LIST-2
  it.each(single)('by $name=$value', async ({ name, value }) => {
    const query = { [name]: value };
    expect(await whole(query)).toEqual(ids(matching(sessions, asStored(query))));
  });

  it('lists a session once, even if its approver approved it several times', async () => {
    const query = { 'review.approver': 'dora@example.com' };
    const expected = matching(sessions, query);
    const twice = expected.filter(
      ({ review }) =>
        review?.groups.filter(({ by, status }) => by === 'dora' && status === 'APPROVED').length === 2,
    );
    expect(twice.length).toBeGreaterThan(0);
    for (const limit of IS_LONG ? [1, 2, 3] : [7])
      expect(await whole(query, 'admin', limit)).toEqual(ids(expected));
  });

  // promises: LIST-2
  it('by any two or three of them', async () => {
    const names = Object.keys(values);
    let count = 0;
    let hits = 0;
    for (let n = 0; n < volume(48, 220); n++) {
      const chosen = [
        names[n % 12],
        names[(n * 5 + (n % 12) + 1) % 12],
        ...(n % 2 === 0 ? [names[(n >> 2) % 12]] : []),
      ];
      const query: Query = Object.fromEntries(
        chosen.map((name = '', place) => [name, values[name]?.[(n >> place) % 2] ?? '']),
      );
      const expected = ids(matching(sessions, asStored(query)));
      const { status, body } = await list({ ...query, limit: '100', count: 'exact' });
      expect([query, status, ids(body.data), body.total]).toEqual([
        query,
        200,
        expected.slice(0, 100),
        expected.length,
      ]);
      count += 1;
      hits += expected.length > 0 ? 1 : 0;
    }
    // At least a quarter of the queries must find sessions. Otherwise the test would prove nothing.
    expect(hits).toBeGreaterThan(count / 4);
  });

  const regulars = [
    { person: 'alice', groups: ['engineering'] },
    { person: 'bob', groups: ['dba'] },
  ] as const;

  // promises: LIST-5, WHO-3
  it.each(regulars)('is for $person their own, and what their groups review', async ({ person, groups }) => {
    const seen = sessions.filter(isSeenBy(person, groups));
    const foreign = seen.filter((session) => session.subject !== person);
    expect([seen.length > 40, foreign.length > 10]).toEqual([true, true]);
    expect(await whole({}, person)).toEqual(ids(matching(seen, {})));
    expect(await whole({}, person, volume(19, 7))).toEqual(ids(matching(seen, {})));
    const allowed = single.filter(({ name, value }) => name !== 'guardrail' || value !== RULES[1]?.rule_name);
    // In `npm test`, tries each filter for only one of the two people.
    const place = person === 'alice' ? 0 : 1;
    const tried = IS_LONG ? allowed : allowed.filter((_, index) => index % 2 === place);
    for (const { name, value } of tried) {
      const query = { [name]: value };
      expect([query, await whole(query, person)]).toEqual([query, ids(matching(seen, asStored(query)))]);
    }
  });

  // promises: LIST-6
  it('does not tell regular users which guardrail it was', async () => {
    const name = RULES[1]?.rule_name ?? '';
    for (const guess of [name, 'no-such-rule']) {
      const answer = await list({ guardrail: guess }, 'alice');
      expect([answer.status, answer.body]).toEqual([
        403,
        { message: 'guardrail by name is for auditors and admins; give the id of the rule' },
      ]);
    }
    for (const session of (await list({ guardrail: RULES[0]?.rule_id ?? '' }, 'bob')).body.data) {
      for (const info of session.guardrails_info)
        expect(info).toEqual({ direction: 'input', message: 'No.' });
    }
  });

  // promises: WHO-3
  it('is for a machine its own, and what its groups review', async () => {
    const made = await path.gateway.call('admin', 'POST', '/api-keys', {
      name: 'robot',
      groups: ['security'],
    });
    const { id, key } = made.body as { id: string; key: string };
    const subject = `api-key:${id}`;
    const common = {
      ...(sessions[0] as Listed),
      subject,
      email: '',
      review: null,
      start: '2025-06-01T00:00:00.000000Z',
    };
    const own = { ...common, id: sampleSessions(1)[0]?.id ?? '', machine: true };
    const namesake = { ...common, id: sampleSessions(1)[0]?.id ?? '', machine: false };
    await storeSessions(path.gateway.database, orgId, [own, namesake]);
    const expected = ids(matching([...sessions, own].filter(isSeenBy(subject, ['security'], true)), {}));
    const { body } = await as(path.gateway, key, 'GET', '/sessions?limit=100');
    expect(expected.at(-1)).toBe(own.id);
    expect(ids(body.data)).toEqual(expected.slice(0, 100));
    expect(body.total).toBe(expected.length);
    await forget(path.gateway.database, `user_subject = '${subject}'`);
  });

  // promises: LIST-7
  it.each(['admin', 'bob'] as const)(
    'shows %s what each session is, without script and recording',
    async (person) => {
      const { headers, body } = await list({ limit: '40' }, person);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      for (const item of body.data) {
        const one = await path.read(item.id, '', person);
        expect(one.body.script).toEqual({ data: 'SELECT 1' });
        expect(item).toEqual({ ...one.body, script: null });
      }
      expect(body.data.some((item: { review: object | null }) => item.review !== null)).toBe(true);
    },
  );

  it('asks the database nothing for each of its sessions', async () => {
    const asked = jest.spyOn(Client.prototype, 'query');
    const { data } = (await list({ limit: '20', 'review.status': 'APPROVED' })).body;
    const texts = asked.mock.calls.map(([query]: unknown[]) =>
      typeof query === 'string' ? query : (query as { text: string }).text,
    );
    asked.mockRestore();
    expect(data).toHaveLength(20);
    expect(texts.length).toBeGreaterThan(0);
    // The gateway's own work meanwhile has other texts, each of them a few times.
    const times = new Map<string, number>();
    for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1);
    expect([...times].filter(([, count]) => count >= 10)).toEqual([]);
  });

  // promises: LIST-3
  it('counts as requested', async () => {
    const { data, ...rest } = (await list('count=none&limit=3')).body;
    expect([data.length, rest]).toEqual([3, { total: null, total_is_capped: false, has_next_page: true }]);
    expect((await list('count=none&offset=1000')).body).toEqual({
      data: [],
      total: null,
      total_is_capped: false,
      has_next_page: false,
    });
    for (const count of ['capped', 'exact']) {
      expect((await list({ count, offset: '10000' })).body).toEqual({
        data: [],
        total: 240,
        total_is_capped: false,
        has_next_page: false,
      });
    }
  });

  it.each([
    'user',
    'connection',
    'type',
    'verb',
    'status',
    'start_date',
    'end_date',
    'review.status',
    'limit',
    'offset',
    'guardrail',
    'count',
  ])('refuses a parameter without a value: %s', async (name) => {
    const { status, body } = await list(`${name}=`);
    expect([status, body]).toEqual([400, { message: `the query parameter ${name} has no value` }]);
  });

  // promises: LIST-1, LIST-4
  it.each([
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=1.5',
    'limit=1e1',
    'limit=0x10',
    'limit=ten',
    'limit=%2010',
    'limit=5&limit=6',
    'offset=-1',
    'offset=10001',
    'offset=99999999999999999999',
    'offset=x',
    'offset[]=1',
    'count=all',
    'count=CAPPED',
    'count=none&count=exact',
    'verb=run',
    'verb=EXEC',
    'status=running',
    'status=open,done',
    'status=open&status=done',
    'review.status=approved',
    'review.status=DONE',
    'start_date=yesterday',
    'start_date=2026-01-01',
    'start_date=2026-01-01T00:00:00',
    'start_date=1767225600',
    'start_date=2026-02-30T00:00:00Z',
    'start_date=2026-01-01T25:00:00Z',
    'start_date=2026-01-01T00:00:00+99:00',
    'end_date=2026-13-01T00:00:00Z',
    'end_date=0000-01-01T00:00:00Z',
    'end_date=now()',
    'end_date=infinity',
    'end_date=2026-01-01T00:00:00 02:00',
    'user=%00',
    'user=a&user=b',
    'user[a]=b',
    `user=${'x'.repeat(257)}`,
    'connection=%00',
    `connection=${'x'.repeat(257)}`,
    'type[]=database',
    'review.approver=%00',
    'batch_id=a&batch_id=b',
    'correlation_id=%00',
    'guardrail=%00',
    `guardrail=${'x'.repeat(257)}`,
  ])('refuses ?%s', async (query) => {
    const answer = await path.gateway.call('admin', 'GET', `/sessions?${query}`);
    const name = /^[\w.]+/.exec(query)?.[0];
    expect(answer.status).toBe(query.includes('[') ? 400 : 422);
    expect(answer.body).toEqual({ message: expect.stringContaining(`${name}`) });
  });

  // promises: LIST-4
  it.each([
    'foo=1',
    'page=1',
    'page_size=10',
    'org_id=1',
    '__proto__=1',
    'constructor=1',
    'Limit=1',
    'review[status]=PENDING',
  ])('knows no ?%s', async (query) => {
    const answer = await path.gateway.call('admin', 'GET', `/sessions?${query}`);
    expect([answer.status, answer.body]).toEqual([
      400,
      { message: expect.stringMatching(/^unknown query parameter /) },
    ]);
  });

  it('treats every value as a literal', async () => {
    const hostile = [
      `' OR 1=1 --`,
      `'; DROP TABLE sessions; --`,
      ':search_0',
      '$1',
      '%',
      '_',
      '\\',
      '{}',
      'null',
      '\u{1F600}',
      'ﬀ',
      '\u202e',
    ];
    const names = [
      'user',
      'connection',
      'type',
      'review.approver',
      'batch_id',
      'correlation_id',
      'guardrail',
    ];
    for (const [column, name] of names.entries()) {
      // In `npm test`, tries each hostile value in only two or three of the parameters.
      const tried = IS_LONG ? hostile : hostile.filter((_, row) => (row + column) % 3 === 0);
      for (const value of tried) {
        const { status, body } = await list({ [name]: value });
        // A parameter for a name refuses a text that no name can have.
        const isRefused = ['connection', 'guardrail'].includes(name) && !isName(normalizedName(value));
        expect([name, value, status, body.total]).toEqual([
          name,
          value,
          ...(isRefused ? [422, undefined] : [200, 0]),
        ]);
      }
    }
    expect((await list({ end_date: '0101-01-01T00:00:00+14:00' })).body).toMatchObject({ total: 0 });
    expect((await list({ end_date: '9999-12-31T23:59:59.999-12:00' })).body.total).toBe(240);
  });

  it('has stable pages with an end date while sessions begin', async () => {
    const before = ids(matching(sessions, {}));
    const last = matching(sessions, {})[0]?.start.slice(0, 23);
    const found: string[] = [];
    const begun: Listed[] = [];
    for (let offset = 0; ; offset += 60) {
      const { body } = await list({ limit: '60', offset: `${offset}`, end_date: `${last}Z` });
      found.push(...ids(body.data));
      if (body.has_next_page !== true) break;
      const fresh = sampleSessions(8).map((session) => ({
        ...session,
        start: '2027-01-01T00:00:00.000000Z',
      }));
      begun.push(...fresh);
      await storeSessions(path.gateway.database, orgId, fresh);
    }
    expect(found).toEqual(before);
    expect(begun.length).toBeGreaterThan(20);
    expect((await list()).body.total).toBe(before.length + begun.length);
    await path.gateway.database.query(
      `TRUNCATE connection_credentials, review_votes, review_groups, reviews, session_guardrail_hits`,
    );
    await forget(path.gateway.database, 'true');
    await storeSessions(path.gateway.database, orgId, sessions);
  });

  it('follows a session whose start is told anew', async () => {
    const moved = sessions.find(
      ({ hits, review }) => hits.length === 2 && review?.status === 'EXECUTED',
    ) as Listed;
    const found = async (query: Query): Promise<unknown> =>
      (await list({ ...query, limit: '1' })).body.data[0]?.id;
    await path.gateway.database.query(`UPDATE sessions SET start_date = '2028-01-01' WHERE id = $1`, [
      moved.id,
    ]);
    for (const query of [{}, { 'review.status': 'EXECUTED' }, { guardrail: 'no-drops' }]) {
      expect(await found({ ...query, start_date: '2027-12-31T00:00:00Z' })).toBe(moved.id);
    }
    await path.gateway.database.query('UPDATE sessions SET start_date = $2 WHERE id = $1', [
      moved.id,
      moved.start,
    ]);
    expect(await whole({ guardrail: 'no-drops' })).toEqual(
      ids(matching(sessions, { guardrail: 'no-drops' })),
    );
  });

  it('knows at once what happens: a run, a block, a review', async () => {
    const rule = await createRule(path.gateway, {
      name: 'no-secrets',
      input: denyWords(['canary']),
      connection_ids: [path.connectionId],
    });
    const passed = (await path.run('SELECT 1', { correlation_id: 'live' }, 'alice')).body.session_id;
    const blocked = (await path.run("SELECT 'canary'", { correlation_id: 'live' }, 'alice')).body.session_id;
    expect(ids((await list('correlation_id=live')).body.data)).toEqual([blocked, passed]);
    for (const guardrail of [rule, 'no-secrets']) {
      const { data } = (await list({ guardrail })).body;
      expect(ids(data)).toEqual([blocked]);
      expect(data[0].guardrails_info).toMatchObject([{ rule_id: rule, rule_name: 'no-secrets' }]);
    }
    expect(ids((await list({ guardrail: rule }, 'alice')).body.data)).toEqual([blocked]);
    expect((await list({ guardrail: rule }, 'bob')).body.data).toEqual([]);

    await path.connect('reviewed');
    const body = {
      name: 'asks',
      access_type: 'command',
      reviewers_groups: ['dba'],
      min_approvals: 1,
      connection_names: ['reviewed'],
    };
    await path.gateway.call('admin', 'POST', '/access-requests/rules', body);
    const waiting = (await path.run('SELECT 2', { connection: 'reviewed' }, 'alice')).body.session_id;
    const pending = { 'review.status': 'PENDING', connection: 'reviewed' };
    expect(ids((await list(pending, 'bob')).body.data)).toEqual([waiting]);
    expect((await list({ ...pending, user: 'alice' }, 'bob')).body.data[0]).toMatchObject({
      id: waiting,
      status: 'open',
      script: null,
      event_stream: [],
      review: { status: 'PENDING', review_groups_data: [{ group: 'dba' }] },
    });
  });

  describe('of more than it counts', () => {
    const bulk = (count: number): Promise<unknown> =>
      path.gateway.database.query(
        `INSERT INTO sessions (org_id, status, verb, type, connection_id, connection_name, connection_subtype, identity_type,
           user_subject, user_email, user_name, start_date, end_date)
         SELECT $1, 'done', 'exec', 'database', gen_random_uuid(), 'bulk', 'postgres', 'user', 'bulk', '', '',
           timestamptz '2020-01-01' + n * interval '1 s', now() FROM generate_series(1, $2::int) AS n`,
        [orgId, count],
      );
    const counted = async (query: string): Promise<unknown> => {
      const { data, total, total_is_capped, has_next_page } = (await list(`connection=bulk&${query}`)).body;
      return [data.length, total, total_is_capped, has_next_page];
    };

    // promises: LIST-3
    it('says so', async () => {
      await bulk(10_000);
      expect(await counted('')).toEqual([20, 10_000, false, true]);
      expect(await counted('offset=9990')).toEqual([10, 10_000, false, false]);
      await bulk(1);
      expect(await counted('')).toEqual([20, 10_000, true, true]);
      expect(await counted('count=capped')).toEqual([20, 10_000, true, true]);
      expect(await counted('count=exact')).toEqual([20, 10_001, false, true]);
      expect(await counted('count=none')).toEqual([20, null, false, true]);
      expect(await counted('offset=10000')).toEqual([1, 10_000, true, false]);
      expect(await counted('offset=10000&count=exact')).toEqual([1, 10_001, false, false]);
      await bulk(150);
      expect(await counted('offset=10000&limit=100')).toEqual([100, 10_000, true, true]);
      expect((await list('user=bulk&limit=1')).body).toMatchObject({ total: 10_000, total_is_capped: true });
      expect((await list()).body).toMatchObject({ total: 10_000, total_is_capped: true });
    });

    // promises: LIST-1
    it('is read beyond its last offset by the time where it ended', async () => {
      const far = (await list('connection=bulk&offset=10000&limit=1')).body.data[0];
      const { data } = (await list(`connection=bulk&limit=100&end_date=${far.start_date}`)).body;
      expect(data[0].id).toBe(far.id);
      expect(data).toHaveLength(100);
    });
  });
});

/** Deletes rows of sessions. A trigger forbids that, so it is disabled meanwhile. */
async function forget(database: TestDatabase, which: string): Promise<void> {
  await database.query('ALTER TABLE sessions DISABLE TRIGGER sessions_stay');
  await database.query(`DELETE FROM sessions WHERE ${which}`);
  await database.query('ALTER TABLE sessions ENABLE TRIGGER sessions_stay');
}
