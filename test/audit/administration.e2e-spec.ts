import { describeGateway } from '../support/describe';
import { eventually } from '../support/eventually';
import { type Answer, type Person } from '../support/gateway';
import { createRule, denyWords } from '../support/guardrails';
import { type Route, controllerRoutes } from '../support/routes';
import { IS_LONG } from '../support/volume';

const NOBODY = '00000000-0000-4000-8000-000000000000';

interface Line {
  seq: number;
  created_at: string;
  action: string;
  resource_type: string;
  resource_id: string;
  outcome: string;
  status: number;
  changes: { field: string; before: unknown; after: unknown }[];
}

/** Every change, and every attempt at one, has a line in the audit log. */
describeGateway('the audit log of', ({ gateway }) => {
  let writes: Route[];

  beforeAll(async () => {
    // Leaves out public routes, because they have no signed-in actor whom an audit line could name.
    writes = controllerRoutes(gateway.app).filter(
      ({ method, policy }) => method !== 'GET' && policy !== 'public',
    );
  });

  const logs = async (query: string): Promise<{ data: Line[]; pages: { total: number } }> => {
    const answer = await gateway.call('admin', 'GET', `/audit/logs${query}`);
    expect([query, answer.status]).toEqual([query, 200]);
    return answer.body;
  };
  const lineOf = (requestId: string): Promise<Line> =>
    eventually(`the line of ${requestId}`, async () => (await logs(`?request_id=${requestId}`)).data[0]);
  const admin = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    gateway.call('admin', method, path, body, headers);

  const actions: Record<string, string> = {
    POST: 'create',
    PUT: 'update',
    PATCH: 'update',
    DELETE: 'delete',
  };

  const bodies: [string, unknown][] = [
    ['an empty body', {}],
    ['an unknown field', { garbage: 1 }],
    ['no object', [1]],
  ];

  // promises: AUDIT-1
  it.each(bodies)(
    'every write route, with %s: one line with resource, outcome and status',
    async (_, body) => {
      expect(writes.length).toBeGreaterThan(15);
      const check = async (person: Person, { method, path, policy }: Route): Promise<void> => {
        const requestId = `${person}-${method}-${path.replaceAll(/\W/g, '-')}-${JSON.stringify(body).length}`;
        const answer = await gateway.call(person, method, path.replace(/:\w+/, NOBODY), body, {
          'x-request-id': requestId,
        });
        const line = await lineOf(requestId);
        const isDenied = person === 'alice' && policy !== 'operator' && policy !== 'signed-in';
        expect([requestId, answer.status < 500, answer.status === 403]).toEqual([requestId, true, isDenied]);
        expect([requestId, line]).toEqual([
          requestId,
          expect.objectContaining({
            actor: expect.objectContaining({ id: person }),
            resource_type: path.slice(1).replace(/\/:.*$/, ''),
            resource_id: answer.status < 300 ? expect.any(String) : path.includes(':') ? NOBODY : '',
            action: method === 'POST' && path.includes(':') ? 'execute' : actions[method],
            status: answer.status,
            outcome: answer.status < 400 ? 'success' : isDenied ? 'denied' : 'failed',
            client_address: '127.0.0.1',
          }),
        ]);
      };
      // A route denies a person before it reads the body, so the short form of this test tries the denial
      // with one body only.
      const people =
        IS_LONG || body === bodies[0]?.[1] ? (['admin', 'alice'] as const) : (['admin'] as const);
      for (const person of people) await Promise.all(writes.map((route) => check(person, route)));
      const { pages } = await logs('');
      const lines = await gateway.database.query<object>('SELECT DISTINCT request_id FROM audit_log');
      expect(pages.total).toBe(lines.length);
    },
  );

  // promises: AUDIT-1
  it('a change: before and after, without the noise', async () => {
    const body = { name: 'no-drops', input: denyWords(['DROP']), attributes: ['pii'] };
    const id = await createRule(gateway, body);
    const etag = (await admin('GET', `/guardrails/${id}`)).headers.get('etag') ?? '';
    const put = { ...body, description: 'why', input: denyWords(['DROP', 'TRUNCATE']), attributes: [] };
    await admin('PUT', `/guardrails/${id}`, put, { 'if-match': etag });
    await admin('PUT', `/guardrails/${id}`, put, { 'if-match': etag });
    await admin('DELETE', `/guardrails/${id}`);
    const { data } = await eventually('four lines', async () => {
      const page = await logs('?resource_type=guardrails&created_after=2020-01-01T00:00:00Z');
      return page.data.filter((line) => line.resource_id === id).length === 4 && page;
    });
    const own = data.filter((line) => line.resource_id === id);
    const [created, updated, stale, deleted] = [201, 200, 412, 204].map((status) =>
      own.find((line) => line.status === status),
    );
    expect(created?.changes).toContainEqual({ field: 'name', before: null, after: 'no-drops' });
    expect(updated?.changes).toEqual([
      { field: 'description', before: '', after: 'why' },
      { field: 'attributes', before: ['pii'], after: [] },
      { field: 'input', before: body.input, after: put.input },
    ]);
    expect([stale?.outcome, stale?.changes]).toEqual(['failed', []]);
    expect([deleted?.status, deleted?.outcome]).toEqual([204, 'success']);
    expect(deleted?.changes).toContainEqual({ field: 'name', before: 'no-drops', after: null });
  });

  // promises: AUDIT-2
  it('a change that was rolled back: no line of success', async () => {
    const answer = await admin(
      'POST',
      '/guardrails',
      { name: 'half', attributes: ['half'], connection_ids: [NOBODY] },
      { 'x-request-id': 'half' },
    );
    expect(answer.status).toBe(422);
    expect(await lineOf('half')).toMatchObject({ outcome: 'failed', status: 422, changes: [] });
    expect((await logs('?request_id=half')).pages.total).toBe(1);
    expect((await admin('GET', '/attributes/half')).status).toBe(404);
    await gateway.database.query(`
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'at commit'; END $$;
      CREATE CONSTRAINT TRIGGER late AFTER INSERT ON attributes DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (NEW.name = 'late') EXECUTE FUNCTION fail()`);
    expect((await admin('POST', '/attributes', { name: 'late' }, { 'x-request-id': 'late' })).status).toBe(
      500,
    );
    expect(await lineOf('late')).toMatchObject({ outcome: 'failed', status: 500 });
    expect((await logs('?request_id=late')).pages.total).toBe(1);
  });

  // promises: AUDIT-5
  it('is found by each filter, and paged, newest first', async () => {
    const all = (await logs('')).data;
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, i) => all.length - i));
    const middle = all[Math.floor(all.length / 2)]!;
    const filters: [string, (line: Line & { actor: { id: string } }) => boolean][] = [
      ['actor=alice', (line) => line.actor.id === 'alice'],
      ['actor=alice%40example.com', (line) => line.actor.id === 'alice'],
      ['resource_type=api-keys', (line) => line.resource_type === 'api-keys'],
      ['action=delete', (line) => line.action === 'delete'],
      ['outcome=denied', (line) => line.outcome === 'denied'],
      [`created_after=${middle.created_at}`, (line) => line.created_at >= middle.created_at],
      [`created_before=${middle.created_at}`, (line) => line.created_at <= middle.created_at],
      [
        `created_after=${middle.created_at}&created_before=${middle.created_at}`,
        (line) => line.created_at === middle.created_at,
      ],
      [
        'actor=alice&action=update&outcome=denied',
        (line) => line.actor.id === 'alice' && line.action === 'update' && line.outcome === 'denied',
      ],
    ];
    for (const [query, holds] of filters) {
      const expected = (all as never[]).filter(holds).map(({ seq }: Line) => seq);
      const { data, pages } = await logs(`?${query}`);
      expect([query, data.map(({ seq }) => seq), pages.total]).toEqual([query, expected, expected.length]);
      expect(expected.length).toBeGreaterThan(0);
      const second = await logs(`?${query}&page=2&page_size=1`);
      expect(second.data.map(({ seq }) => seq)).toEqual(expected.slice(1, 2));
    }
  });

  it.each([
    'action=erase',
    'outcome=maybe',
    'created_after=yesterday',
    'created_after=20250101',
    'created_before=2025-W01-1',
    'created_after=',
    'colour=red',
    'actor=a%00b',
    `actor=${'x'.repeat(257)}`,
    'actor=a&actor=b',
  ])('refuses the filter %s', async (query) => {
    const answer = await admin('GET', `/audit/logs?${query}`);
    expect([400, 422]).toContain(answer.status);
    expect(answer.body).toEqual({ message: expect.any(String) });
  });

  it('twenty writes at once: one chain', async () => {
    const answers: Answer[] = await Promise.all(
      Array.from({ length: 20 }, (_, i) => admin('POST', '/attributes', { name: `parallel-${i}` })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    const [rows] = await gateway.database.query<{ n: number }>('SELECT count(*)::int AS n FROM audit_log');
    expect((await admin('GET', '/audit/verify')).body).toMatchObject({
      valid: true,
      broken_at: null,
      checked: rows?.n,
    });
  });
});
