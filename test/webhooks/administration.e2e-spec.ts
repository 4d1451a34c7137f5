import { Client } from 'pg';
import { DeliveryRetention } from '../../src/integrations/webhooks/delivery-retention';
import { describeGateway } from '../support/describe';
import { eventually } from '../support/eventually';
import { startGateway } from '../support/gateway';
import { subscribe } from '../support/webhook-receiver';

const NOTHING = '00000000-0000-4000-8000-000000000000';
const URL_OF_A_CHAT = 'https://chat.example.com/services/T0/canary-token';

const SETTINGS = { environment: { WEBHOOK_ALLOWED_HOSTS: 'hooks.internal,10.1.2.3,::1' } };

/** Webhooks as admins create, read and change them. These tests send no message. */
describeGateway('the administration of webhooks', SETTINGS, ({ gateway }) => {
  afterEach(() => gateway.database.query('DELETE FROM webhooks'));

  const admin = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    gateway.call('admin', method, path, body, headers);
  const body = { url: URL_OF_A_CHAT, events: ['session.ended'] };

  // promises: WEBHOOK-6
  it('shows the secret once, and everything else whenever it is asked', async () => {
    const created = await admin('POST', '/webhooks', { ...body, description: 'the chat' });
    expect([created.status, created.headers.get('etag'), created.headers.get('cache-control')]).toEqual([
      201,
      '"1"',
      'no-store',
    ]);
    const { secret, ...view } = created.body;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(view).toEqual({
      id: expect.any(String),
      ...body,
      description: 'the chat',
      format: 'standard',
      enabled: true,
      disabled_reason: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const read = await admin('GET', `/webhooks/${view.id}`);
    expect([read.status, read.headers.get('etag'), read.body]).toEqual([200, '"1"', view]);
    const list = await admin('GET', '/webhooks?page_size=5');
    expect(list.body).toEqual({ data: [view], pages: { page: 1, size: 5, total: 1 } });
  });

  it('lists them newest first, by pages', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.unshift((await subscribe(gateway, URL_OF_A_CHAT, ['session.ended'])).id);
    const page = async (n: number) =>
      (await admin('GET', `/webhooks?page=${n}&page_size=2`)).body.data.map(({ id }: { id: string }) => id);
    expect([await page(1), await page(2)]).toEqual([ids.slice(0, 2), ids.slice(2)]);
  });

  it('replaces one whole, takes back what was read, and keeps its secret', async () => {
    const created = await admin('POST', '/webhooks', { ...body, description: 'the chat', enabled: false });
    const sealed = () => gateway.database.query('SELECT secret FROM webhooks');
    const before = await sealed();
    const replaced = await admin('PUT', `/webhooks/${created.body.id}`, {
      ...created.body,
      events: ['session.ended', 'access.revoked', 'session.ended'],
      description: undefined,
      enabled: undefined,
    });
    expect([replaced.status, replaced.headers.get('etag'), replaced.body]).toEqual([
      200,
      '"2"',
      expect.objectContaining({
        events: ['session.ended', 'access.revoked'],
        description: '',
        enabled: true,
      }),
    ]);
    expect(await sealed()).toEqual(before);
  });

  it('never overwrites a concurrent change', async () => {
    const { id } = await subscribe(gateway, URL_OF_A_CHAT, ['session.ended']);
    await admin('POST', `/webhooks/${id}/rotate-secret`, {});
    for (const [method, sent] of [
      ['PUT', body],
      ['DELETE', undefined],
    ] as const) {
      const stale = await admin(method, `/webhooks/${id}`, sent, { 'if-match': '"1"' });
      expect([method, stale.status]).toEqual([method, 412]);
    }
    expect((await admin('DELETE', `/webhooks/${id}`, undefined, { 'if-match': '"2"' })).status).toBe(204);
    expect((await admin('GET', `/webhooks/${id}`)).status).toBe(404);
  });

  it.each([
    ['no url', { events: ['session.ended'] }, 400],
    ['a url that is none', { ...body, url: 'chat' }, 422],
    ['another scheme', { ...body, url: 'ftp://chat.example.com/' }, 422],
    ['a script as url', { ...body, url: 'javascript:alert(1)' }, 422],
    ['plain http', { ...body, url: 'http://chat.example.com/' }, 422],
    ['a user in the url', { ...body, url: 'https://me@chat.example.com/' }, 422],
    ['a password in the url', { ...body, url: 'https://me:secret@chat.example.com/' }, 422],
    ['a fragment', { ...body, url: 'https://chat.example.com/#here' }, 422],
    ['a private address', { ...body, url: 'https://10.1.2.4/' }, 422],
    ['a private address in disguise', { ...body, url: 'https://0x7f.1/' }, 422],
    ['a private IPv6 address', { ...body, url: 'https://[::ffff:10.1.2.4]/' }, 422],
    ['a long url', { ...body, url: `https://chat.example.com/${'x'.repeat(2_048)}` }, 422],
    ['NUL in the url', { ...body, url: 'https://chat.example.com/\0' }, 422],
    ['no events', { ...body, events: [] }, 422],
    ['an unknown event', { ...body, events: ['session.ended', 'webhook.test'] }, 422],
    ['events that are none', { ...body, events: 'session.ended' }, 400],
    ['events of another type', { ...body, events: [{}] }, 422],
    ['enabled as a text', { ...body, enabled: 'yes' }, 400],
    ['a long description', { ...body, description: 'x'.repeat(5_000) }, 422],
    ['a secret without its prefix', { ...body, secret: Buffer.alloc(32).toString('base64') }, 422],
    ['a short secret', { ...body, secret: `whsec_${Buffer.alloc(23).toString('base64')}` }, 422],
    ['a long secret', { ...body, secret: `whsec_${Buffer.alloc(65).toString('base64')}` }, 422],
    ['a secret that is no base64', { ...body, secret: `whsec_${'!'.repeat(32)}` }, 422],
    ['a secret of another type', { ...body, secret: 7 }, 400],
    ['a field that there is not', { ...body, headers: {} }, 400],
  ])('refuses %s, in words that repeat no secret, and makes nothing', async (_, sent, status) => {
    const answer = await admin('POST', '/webhooks', sent);
    expect([answer.status, answer.body]).toEqual([status, { message: expect.stringMatching(/\w+ \w+/) }]);
    expect(answer.text).not.toContain('me:secret');
    expect((await admin('GET', '/webhooks')).body.data).toEqual([]);
  });

  it.each([
    'https://hooks.internal/a',
    'http://hooks.internal:8080/a',
    'http://10.1.2.3/',
    'https://[::1]:8443/',
  ])('takes %s, whose host the setting names', async (url) => {
    expect(await admin('POST', '/webhooks', { ...body, url })).toMatchObject({
      status: 201,
      body: { url },
    });
  });

  // promises: HTTP-26
  it('gives optional fields that are left out their default, and refuses null for them', async () => {
    for (const field of ['secret', 'description', 'enabled'])
      expect(await admin('POST', '/webhooks', { ...body, [field]: null })).toMatchObject({
        status: 400,
        body: { message: `${field} must not be null: leave it out` },
      });
    const made = await admin('POST', '/webhooks', body);
    expect(made).toMatchObject({ status: 201, body: { description: '', enabled: true } });
    const fresh = /^whsec_[A-Za-z0-9+/]{43}=$/;
    const rotated = await admin('POST', `/webhooks/${made.body.id}/rotate-secret`, {});
    expect([made.body.secret, rotated.status, rotated.body.secret]).toEqual([
      expect.stringMatching(fresh),
      200,
      expect.stringMatching(fresh),
    ]);
  });

  it('refuses fields that only the gateway sets', async () => {
    const given = {
      id: NOTHING,
      org_id: NOTHING,
      disabled_reason: 'mine',
      created_at: '2001-01-01T00:00:00Z',
    };
    const { body: made } = await admin('POST', '/webhooks', { ...body, ...given });
    expect(made.id).not.toBe(NOTHING);
    expect([made.disabled_reason, Date.parse(made.created_at) > Date.parse('2020-01-01')]).toEqual([
      null,
      true,
    ]);
  });

  it('accepts a given secret, and refuses more than 50 webhooks', async () => {
    const secret = `whsec_${Buffer.alloc(24, 'x').toString('base64')}`;
    expect((await admin('POST', '/webhooks', { ...body, secret })).body.secret).toBe(secret);
    await gateway.database.query(
      `INSERT INTO webhooks (org_id, url, events, secret) SELECT org_id, url, events, secret
       FROM webhooks CROSS JOIN generate_series(1, 49)`,
    );
    const one = await admin('POST', '/webhooks', body);
    expect([one.status, one.body.message]).toEqual([
      422,
      'there are already 50 webhooks, which is the limit; delete one first',
    ]);
  });

  it('keeps the limit under concurrent requests to two gateways', async () => {
    const other = await startGateway({ beside: gateway });
    await admin('POST', '/webhooks', body);
    await gateway.database.query(
      `INSERT INTO webhooks (org_id, url, events, secret) SELECT org_id, url, events, secret
       FROM webhooks CROSS JOIN generate_series(1, 46)`,
    );
    const holder = new Client({ connectionString: gateway.database.url });
    await holder.connect();
    // Holds the lock of the audit log, so that no request commits its webhook before all requests wait.
    await holder.query(
      `BEGIN; SELECT pg_advisory_xact_lock(hashtext('audit_log'), hashtext(id::text)) FROM organizations`,
    );
    const asking = Array.from({ length: 12 }, (_, n) =>
      (n % 2 === 0 ? gateway : other).call('admin', 'POST', '/webhooks', body),
    );
    await eventually('all wait', async () => {
      const waiting = await gateway.database.query(
        `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
      // Other writers of the audit log also wait for the lock, so the number may be higher.
      return waiting.length >= asking.length;
    });
    await holder.end();
    const answers = await Promise.all(asking);
    await other.close();
    const answered = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect([answered(201), answered(422)]).toEqual([3, 9]);
    expect((await admin('GET', '/webhooks')).body.pages.total).toBe(50);
  });

  it('writes every change to the audit log, without secrets or paths', async () => {
    const { id } = await subscribe(gateway, URL_OF_A_CHAT, ['session.ended']);
    await admin('PUT', `/webhooks/${id}`, { ...body, url: `${URL_OF_A_CHAT}-2`, enabled: false });
    await admin('POST', `/webhooks/${id}/rotate-secret`, {});
    await admin('DELETE', `/webhooks/${id}`);
    const { data } = (await admin('GET', '/audit/logs?resource_type=webhooks')).body;
    const own = data.filter(({ resource_id }: { resource_id: string }) => resource_id === id).toReversed();
    expect(own.map(({ action }: { action: string }) => action)).toEqual([
      'create',
      'update',
      'update',
      'delete',
    ]);
    expect(own[1].changes).toEqual([
      { field: 'enabled', before: true, after: false },
      { field: 'url_secret', before: '[redacted]', after: '[redacted]' },
    ]);
    expect(JSON.stringify(own)).not.toMatch(/canary|whsec/);
  });

  // promises: HTTP-21
  it('knows no delivery of another webhook, nor of another organization', async () => {
    const [mine, other] = [
      await subscribe(gateway, URL_OF_A_CHAT, ['session.ended']),
      await subscribe(gateway, URL_OF_A_CHAT, ['session.ended']),
    ];
    const sent = (await admin('POST', `/webhooks/${mine.id}/test`)).body;
    const replay = (webhook: string, id: string) =>
      admin('POST', `/webhooks/${webhook}/deliveries/${id}/replay`);
    expect((await replay(other.id, sent.id)).status).toBe(404);
    expect((await replay(mine.id, NOTHING)).status).toBe(404);
    const [{ id: elsewhere }] = (await gateway.database.query<{ id: string }>(
      `INSERT INTO organizations (name) VALUES ('elsewhere') RETURNING id`,
    )) as [{ id: string }];
    await gateway.database.query('UPDATE webhooks SET org_id = $1 WHERE id = $2', [elsewhere, mine.id]);
    for (const [method, path, sentBody] of [
      ['GET', '', undefined],
      ['PUT', '', body],
      ['DELETE', '', undefined],
      ['POST', '/rotate-secret', {}],
      ['POST', '/test', undefined],
      ['GET', '/deliveries', undefined],
      ['POST', `/deliveries/${sent.id}/replay`, undefined],
    ] as const) {
      const answer = await admin(method, `/webhooks/${mine.id}${path}`, sentBody);
      expect([method, path, answer.status]).toEqual([method, path, 404]);
    }
  });

  it('finds exactly the deliveries that wait behind no other', async () => {
    const { id } = await subscribe(gateway, URL_OF_A_CHAT, ['session.ended'], { enabled: false });
    await gateway.database.query(
      `WITH event AS (
         INSERT INTO outbox (org_id, type, subject, data)
         SELECT org_id, 'session.ended', id, '{}' FROM webhooks, generate_series(1, 2) WHERE id = $1 RETURNING *)
       INSERT INTO webhook_deliveries (org_id, webhook_id, event_id, event_type, subject, position)
       SELECT org_id, $1, id, type, subject, position FROM event`,
      [id],
    );
    await gateway.app.get(DeliveryRetention).clear();
    const due = await gateway.database.query(
      'SELECT next_attempt_at <= now() AS due FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY position',
      [id],
    );
    expect(due).toEqual([{ due: true }, { due: null }]);
  });

  it('deletes old and orphaned deliveries, and no pending ones', async () => {
    const { id } = await subscribe(gateway, URL_OF_A_CHAT, ['session.ended'], { enabled: false });
    const gone = await subscribe(gateway, URL_OF_A_CHAT, ['session.ended'], { enabled: false });
    const queue = async (webhook: string, state: string, days: number, finishedDays = days) => {
      const [row] = await gateway.database.query<{ id: string }>(
        `WITH event AS (
           INSERT INTO outbox (org_id, type, subject, data, created_at)
           SELECT org_id, 'session.ended', gen_random_uuid(), '{}', now() - $3::int * interval '1 day'
           FROM webhooks WHERE id = $1 RETURNING *)
         INSERT INTO webhook_deliveries
           (org_id, webhook_id, event_id, event_type, subject, position, state, created_at, finished_at)
         SELECT org_id, $1, id, type, subject, position, $2, created_at,
           CASE WHEN $2 <> 'pending' THEN now() - $4::int * interval '1 day' END FROM event RETURNING id`,
        [webhook, state, days, finishedDays],
      );
      return row?.id;
    };
    const kept = [
      await queue(id, 'pending', 29),
      await queue(id, 'delivered', 29),
      await queue(id, 'dead', 29),
      await queue(id, 'delivered', 31, 0),
    ];
    const givenUp = await queue(id, 'pending', 31);
    await queue(id, 'delivered', 31);
    await queue(id, 'dead', 31);
    await queue(gone.id, 'pending', 1);
    await admin('DELETE', `/webhooks/${gone.id}`);
    await gateway.app.get(DeliveryRetention).clear();
    const left = await gateway.database.query<{ id: string; state: string }>(
      'SELECT id, state FROM webhook_deliveries',
    );
    expect(new Set(left.map((row) => row.id))).toEqual(new Set([...kept, givenUp]));
    expect(left.find((row) => row.id === givenUp)?.state).toBe('dead');
    const events = await gateway.database.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM outbox WHERE created_at < now() - interval '30 days'`,
    );
    expect(events[0]?.n).toBe(2);
  });
});
