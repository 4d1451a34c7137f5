import { connectReviewed } from '../support/waiting-scripts';
import { DataSource } from 'typeorm';
import { describeDataPath } from '../support/describe';
import { spellings, dump } from '../support/canary';
import { eventually } from '../support/eventually';
import { createRule, denyWords } from '../support/guardrails';
import { withSettings } from '../support/settings';
import { IMPATIENT, WebhookReceiver, isSigned, subscribe } from '../support/webhook-receiver';

const SESSION_EVENTS = ['session.started', 'session.blocked', 'session.ended'];

/** Webhook messages about sessions, and the deliveries that admins see of these messages. */
describeDataPath('webhooks', { environment: IMPATIENT }, ({ path }) => {
  let receiver: WebhookReceiver;
  let webhook: { id: string; secret: string };

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
  });

  beforeEach(async () => {
    receiver.received.length = 0;
    receiver.answering = () => 204;
    webhook = await subscribe(path.gateway, receiver.url, SESSION_EVENTS);
  });

  afterEach(() => path.gateway.call('admin', 'DELETE', `/webhooks/${webhook.id}`));

  afterAll(async () => {
    await receiver.close();
  });

  const deliveries = async (query = '') =>
    (await path.gateway.call('admin', 'GET', `/webhooks/${webhook.id}/deliveries${query}`)).body.data as {
      id: string;
      event_id: string;
      event_type: string;
      state: string;
      attempts: number;
      last_status: number | null;
      last_error: string | null;
      next_attempt_at: string | null;
    }[];

  // promises: WEBHOOK-1
  it.each([
    ['slack', ({ text }: { text: string }) => text],
    [
      'teams',
      ({
        attachments: [card],
      }: {
        attachments: { content: { body: { inlines: { text: string }[] }[] } }[];
      }) => card?.content.body[0]?.inlines[0]?.text,
    ],
  ])('tell a chat (%s) one sentence, signed as everything is', async (format, textOf) => {
    const chat = { url: `${receiver.url}/${format}`, events: ['session.ended'], format };
    const { status, body } = await path.gateway.call('admin', 'POST', '/webhooks', chat);
    expect([status, body.format]).toEqual([201, format]);
    await path.run('SELECT 1', {}, 'alice');
    const isTold = (): boolean =>
      receiver.received.some((message) => message.path?.endsWith(format) === true);
    await eventually('the chat is told', async () => isTold());
    const message = receiver.received.find((one) => one.path?.endsWith(format) === true);
    if (message === undefined) throw new Error('nothing came');
    expect(textOf(message.body)).toMatch(/^The session of .+ on orders ended with 0\./);
    expect(await isSigned(message, body.secret)).toBe(true);
    await path.gateway.call('admin', 'DELETE', `/webhooks/${body.id}`);
  });

  // promises: WEBHOOK-1, WEBHOOK-2
  it('report the start and end of a session, signed, without content', async () => {
    const script = `SELECT 'canary-in-the-script' AS said`;
    const { session_id: session } = (await path.run(script, { correlation_id: 'ticket-7' }, 'alice')).body;
    await receiver.has(2);
    const [started, ended] = receiver.received;
    const facts = {
      session_id: session,
      connection: { id: path.connectionId, name: 'orders', subtype: 'postgres' },
      user: { id: 'alice', email: 'alice@example.com', name: expect.any(String), identity_type: 'user' },
      verb: 'exec',
      credential_id: null,
      correlation_id: 'ticket-7',
      reason: null,
      started_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      links: {
        session: `${path.gateway.api}/sessions/${session}`,
        connection: `${path.gateway.api}/connections/orders`,
      },
    };
    const head = { timestamp: expect.stringMatching(/Z$/) };
    expect(started?.body).toEqual({ ...head, type: 'session.started', data: facts });
    expect(ended?.body).toEqual({
      ...head,
      type: 'session.ended',
      data: {
        ...facts,
        ended_at: expect.stringMatching(/^\d{4}-/),
        exit_code: 0,
        guardrails: { checked: expect.any(Number), blocked: 0 },
      },
    });
    for (const message of receiver.received) {
      expect(message.headers).toMatchObject({
        'content-type': 'application/json',
        'user-agent': 'access-gateway',
      });
      expect(await isSigned(message, webhook.secret)).toBe(true);
      expect(await isSigned({ ...message, text: `${message.text} ` }, webhook.secret)).toBe(false);
      expect(message.text).not.toContain('canary');
    }
    expect(started?.headers['webhook-id']).not.toBe(ended?.headers['webhook-id']);
  });

  // promises: WEBHOOK-2
  it('report refusals by guardrails: rule and direction, not the match', async () => {
    const connection = 'watched';
    const id = await path.connect(connection);
    const rule = await createRule(path.gateway, {
      name: 'no-canaries',
      connection_ids: [id],
      input: denyWords(['canary'], 'Not here.'),
    });
    const { session_id: session } = (await path.run(`SELECT 'canary'`, { connection })).body;
    await receiver.has(3);
    expect(receiver.types(session)).toEqual(SESSION_EVENTS);
    const [, blocked, ended] = receiver.received;
    expect(blocked?.body.data).toMatchObject({
      blocked: 1,
      rules: [{ id: rule, name: 'no-canaries', direction: 'input' }],
    });
    expect(blocked?.text.replaceAll('no-canaries', '')).not.toMatch(/canar|Not here/);
    expect(ended?.body.data).toMatchObject({ exit_code: 254, guardrails: { blocked: 1 } });
  });

  it('tell of the end of a session that nobody runs: it waited for a review, and was killed', async () => {
    await connectReviewed(path, 'reviewed');
    const { session_id: session } = (await path.run('SELECT 1', { connection: 'reviewed' }, 'alice')).body;
    await path.gateway.call('alice', 'POST', `/sessions/${session}/kill`);
    await receiver.has(2);
    expect(receiver.types(session)).toEqual(['session.started', 'session.ended']);
    expect(receiver.received[1]?.body.data).toMatchObject({ exit_code: 254 });
    expect(receiver.received[1]?.text).not.toContain('was ended by');
  });

  it('get the events they subscribe to, from then on; events without a subscriber are not stored', async () => {
    await path.gateway.call('admin', 'PUT', `/webhooks/${webhook.id}`, {
      url: receiver.url,
      events: ['session.ended'],
    });
    const [before] = await path.gateway.database.query<{ count: number }>('SELECT count(*)::int FROM outbox');
    const { session_id: session } = (await path.run('SELECT 1')).body;
    await receiver.has(1);
    expect(receiver.types()).toEqual(['session.ended']);
    expect((await deliveries()).map(({ event_type, state }) => [event_type, state])).toEqual([
      ['session.ended', expect.any(String)],
    ]);
    await path.gateway.call('admin', 'PUT', `/webhooks/${webhook.id}`, {
      url: receiver.url,
      events: ['session.ended'],
      enabled: false,
    });
    await path.run('SELECT 2');
    const rows = await path.gateway.database.query<{ subject: string }>(
      'SELECT subject FROM outbox ORDER BY position',
    );
    expect(rows.slice(before?.count).map(({ subject }) => subject)).toEqual([session]);
  });

  // promises: WEBHOOK-3
  it('are retried with the same message and a new signature, while later ones wait', async () => {
    let refusals = 2;
    receiver.answering = ({ body }, response) => {
      if (body.type !== 'session.started' || refusals-- <= 0) return 200;
      response.writeHead(503).end('come back\u0000\u001b[31m later\n');
      return undefined;
    };
    const { session_id: session } = (await path.run('SELECT 1')).body;
    await eventually(
      'the first answer is noted',
      async () => (await deliveries('?state=pending'))[1]?.last_error,
    );
    expect((await deliveries('?state=pending')).toReversed()).toEqual([
      expect.objectContaining({
        event_type: 'session.started',
        last_status: 503,
        last_error: 'The endpoint answered with status 503: come back [31m later',
      }),
      expect.objectContaining({ event_type: 'session.ended', attempts: 0, next_attempt_at: null }),
    ]);
    await receiver.has(4);
    expect(receiver.types(session)).toEqual([
      'session.started',
      'session.started',
      'session.started',
      'session.ended',
    ]);
    const [first, second, third] = receiver.received;
    expect([second?.text, third?.text]).toEqual([first?.text, first?.text]);
    expect([second, third].map((it) => it?.headers['webhook-id'])).toEqual(
      Array(2).fill(first?.headers['webhook-id']),
    );
    for (const message of receiver.received) expect(await isSigned(message, webhook.secret)).toBe(true);
    // The time between two attempts is at least the configured delay.
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1_000);
    await eventually('all is noted', async () => (await deliveries('?state=delivered')).length === 2);
    expect(
      (await deliveries()).map(({ state, attempts, last_status, last_error }) => [
        state,
        attempts,
        last_status,
        last_error,
      ]),
    ).toEqual([
      ['delivered', 1, 200, null],
      ['delivered', 3, 200, null],
    ]);
  });

  // promises: WEBHOOK-4
  it('are dead after the last attempt, which releases the next one, and can be replayed', async () => {
    receiver.answering = ({ body }) => (body.type === 'session.started' ? 500 : 204);
    const { session_id: session } = (await path.run('SELECT 1')).body;
    await receiver.has(4);
    expect(receiver.types(session)).toEqual([
      'session.started',
      'session.started',
      'session.started',
      'session.ended',
    ]);
    const [dead] = await eventually('it is dead', async () => {
      const found = await deliveries('?state=dead');
      return found.length === 1 && found;
    });
    expect(dead).toMatchObject({
      event_type: 'session.started',
      attempts: 3,
      last_status: 500,
      last_error: 'The endpoint answered with status 500.',
      next_attempt_at: null,
    });
    receiver.answering = () => 204;
    const replay = `/webhooks/${webhook.id}/deliveries/${dead?.id}/replay`;
    const queued = await path.gateway.call('admin', 'POST', replay);
    expect([queued.status, queued.body]).toEqual([
      202,
      expect.objectContaining({ id: dead?.id, event_id: dead?.event_id, state: 'pending', attempts: 0 }),
    ]);
    await receiver.has(5);
    expect(receiver.received[4]?.headers['webhook-id']).toBe(dead?.event_id);
    await eventually('it is delivered', async () => (await deliveries('?state=delivered')).length === 2);
    expect(await deliveries('?state=dead')).toEqual([]);
  });

  it('get one attempt after waiting for as long as all attempts take', async () => {
    receiver.answering = () => 500;
    const { session_id: session } = (await path.run('SELECT 1')).body;
    await eventually('both are queued', async () => (await deliveries()).length === 2);
    await path.gateway.database.query(
      `UPDATE webhook_deliveries SET queued_at = queued_at - interval '1 minute' WHERE attempts = 0`,
    );
    await eventually('both are dead', async () => (await deliveries('?state=dead')).length === 2);
    expect(receiver.types(session)).toEqual([
      'session.started',
      'session.started',
      'session.started',
      'session.ended',
    ]);
  });

  it('are retried no earlier than the endpoint requests', async () => {
    receiver.answering = (_message, response) => {
      response.writeHead(503, { 'retry-after': '3600' }).end();
    };
    await path.gateway.call('admin', 'POST', `/webhooks/${webhook.id}/test`);
    const tried = await eventually('it was tried', async () => {
      const [found] = await deliveries();
      return found?.last_status === 503 && found;
    });
    expect(Date.parse(String(tried.next_attempt_at)) - Date.now()).toBeGreaterThan(3_000_000);
  });

  it('are not replayed while they are pending', async () => {
    receiver.answering = () => 500;
    await path.run('SELECT 1');
    const [, pending] = await eventually('it was tried', async () => {
      const found = await deliveries('?state=pending');
      return found[1]?.last_status === 500 && found;
    });
    // Postpones the next attempt until after this test.
    await path.gateway.database.query(
      `UPDATE webhook_deliveries SET next_attempt_at = now() + interval '1 hour' WHERE id = $1 AND state = 'pending'`,
      [pending?.id],
    );
    const replay = `/webhooks/${webhook.id}/deliveries/${pending?.id}/replay`;
    const answer = await path.gateway.call('admin', 'POST', replay);
    expect([answer.status, answer.body]).toEqual([409, { message: 'the delivery is already pending' }]);
  });

  it('that are replayed at once wait for each other, as they did the first time', async () => {
    await path.run('SELECT 1');
    const both = await eventually('both are delivered', async () => {
      const found = await deliveries('?state=delivered');
      return found.length === 2 && found;
    });
    receiver.answering = () => undefined;
    const { manager } = path.gateway.app.get(DataSource);
    // Holds the lock of the audit log, so that neither replay is committed before both wait.
    const replays = await manager.transaction(async (db) => {
      await db.query(
        `SELECT pg_advisory_xact_lock(hashtext('audit_log'), hashtext(id::text)) FROM organizations`,
      );
      const asked = both.map(({ id }) =>
        path.gateway.call('admin', 'POST', `/webhooks/${webhook.id}/deliveries/${id}/replay`),
      );
      await eventually('both wait', async () => {
        const [waiting] = await path.gateway.database.query<{ count: number }>(
          `SELECT count(DISTINCT pid)::int FROM pg_locks JOIN pg_stat_activity USING (pid)
           WHERE NOT granted AND datname = current_database()`,
        );
        // Other writers of the audit log also wait for the lock, so the number may be higher.
        return (waiting?.count ?? 0) >= 2;
      });
      return asked;
    });
    expect((await Promise.all(replays)).map(({ status }) => status)).toEqual([202, 202]);
    const [first] = await path.gateway.database.query<{ count: number }>(
      `SELECT count(*)::int FROM webhook_deliveries
       WHERE webhook_id = $1 AND state = 'pending' AND next_attempt_at IS NOT NULL`,
      [webhook.id],
    );
    expect(first?.count).toBe(1);
  });

  // promises: WEBHOOK-4
  it('are disabled by status 410, and continue with pending deliveries when enabled', async () => {
    let goAway: () => void = () => undefined;
    const gone = new Promise<void>((resolve) => (goAway = resolve));
    receiver.answering = async () => {
      await gone;
      return 410;
    };
    const { session_id: session } = (await path.run('SELECT 1')).body;
    await eventually('both are queued', async () => (await deliveries()).length === 2);
    goAway();
    const get = async () => (await path.gateway.call('admin', 'GET', `/webhooks/${webhook.id}`)).body;
    const disabled = await eventually('it is disabled', async () => {
      const found = await get();
      return found.enabled === false && found;
    });
    expect(disabled.disabled_reason).toBe('The endpoint answered with status 410 (Gone).');
    expect((await path.gateway.call('admin', 'POST', `/webhooks/${webhook.id}/test`)).status).toBe(409);
    const logs = await path.gateway.call('admin', 'GET', '/audit/logs?actor=gateway&resource_type=webhooks');
    expect(logs.body.data).toContainEqual(
      expect.objectContaining({ action: 'update', resource_id: webhook.id }),
    );
    receiver.answering = () => 204;
    await path.gateway.call('admin', 'PUT', `/webhooks/${webhook.id}`, {
      url: receiver.url,
      events: SESSION_EVENTS,
    });
    expect(await get()).toMatchObject({ enabled: true, disabled_reason: null });
    await eventually('the other one comes', async () => receiver.types(session).includes('session.ended'));
  });

  // promises: WEBHOOK-4
  it('go to the new URL when the old one answers 410 after the change, and stay enabled', async () => {
    const moved = await WebhookReceiver.start();
    let goAway: () => void = () => undefined;
    const gone = new Promise<void>((resolve) => (goAway = resolve));
    // The `retry-after` in the answer of the old URL does not apply to the new URL.
    receiver.answering = async (_, response) => {
      await gone;
      response.writeHead(410, { 'retry-after': '3600' }).end();
    };
    try {
      await path.gateway.call('admin', 'POST', `/webhooks/${webhook.id}/test`);
      await receiver.has(1);
      const change = { url: moved.url, events: SESSION_EVENTS };
      expect((await path.gateway.call('admin', 'PUT', `/webhooks/${webhook.id}`, change)).status).toBe(200);
      goAway();
      await moved.has(1);
      const [delivered] = await eventually('it is delivered', async () => {
        const found = await deliveries('?state=delivered');
        return found.length === 1 && found;
      });
      expect(delivered).toMatchObject({ attempts: 1, last_status: 204 });
      expect(moved.received[0]?.headers['webhook-id']).toBe(delivered?.event_id);
      const { body } = await path.gateway.call('admin', 'GET', `/webhooks/${webhook.id}`);
      expect(body).toMatchObject({ url: moved.url, enabled: true, disabled_reason: null });
    } finally {
      goAway();
      await moved.close();
    }
  });

  // promises: WEBHOOK-5
  it.each([
    ['points elsewhere', 302, /^The endpoint answered with status 302 \(redirects are not followed\)\.$/],
    ['never answers', undefined, /^There was no answer within 1 s\.$/, 1],
    ['hangs up', 'hang up', /^The endpoint could not be reached \(ECONNRESET\)\.$/],
    ['speaks no HTTP', 'nonsense', /^The endpoint could not be reached \(HPE_\w+\)\.$/],
    ['drips its body without end', 'drip', /^The endpoint answered with status 500: drip/, 2],
    ['never ends its body', 'flood', /^The endpoint answered with status 500: x{200}$/, 2],
  ])('say so when the endpoint %s', async (_, manner, words, seconds = 30) => {
    receiver.answering = (_message, response) => {
      if (manner === 302) response.writeHead(302, { location: `${receiver.url}/elsewhere` }).end();
      if (manner === 'hang up') response.socket?.destroy();
      if (manner === 'nonsense') response.socket?.end('SMTP 1.0\r\n\r\n');
      if (manner === 'drip') {
        response.writeHead(500).write('drip');
        const drop = setInterval(() => response.write(' drip'), 100);
        response.on('close', () => clearInterval(drop));
      }
      if (manner === 'flood') {
        const pour = (): void => {
          while (!response.destroyed && response.write('x'.repeat(65_536))) continue;
        };
        response.writeHead(500);
        response.on('drain', pour);
        pour();
      }
      return undefined;
    };
    const patience = { webhooks: { timeoutSeconds: seconds } };
    const tried = await withSettings(path.gateway, patience, async () => {
      await path.gateway.call('admin', 'POST', `/webhooks/${webhook.id}/test`);
      return eventually('it was tried', async () => {
        const [found] = await deliveries();
        return found !== undefined && found.last_error !== null && found;
      });
    });
    expect(tried.last_error).toMatch(words);
    expect(new Set(receiver.received.map((message) => message.path))).toEqual(new Set(['/hook']));
  });

  it('fail with a reason when no key opens their secret, until it is rotated', async () => {
    await path.gateway.database.query(`UPDATE webhooks SET secret = decode(repeat('01', 64), 'hex')`);
    await path.gateway.call('admin', 'POST', `/webhooks/${webhook.id}/test`);
    const words =
      'The secret of the webhook cannot be opened: no key in SECRET_KEY matches. Rotate the secret.';
    await eventually('it was tried', async () => (await deliveries())[0]?.last_error === words);
    expect(receiver.received).toEqual([]);
    const rotated = await path.gateway.call('admin', 'POST', `/webhooks/${webhook.id}/rotate-secret`, {});
    expect(rotated.status).toBe(200);
    await receiver.has(1);
    const [message] = receiver.received;
    expect(message && (await isSigned(message, rotated.body.secret))).toBe(true);
  });

  it('can be tested, whatever they subscribe to', async () => {
    const answer = await path.gateway.call('admin', 'POST', `/webhooks/${webhook.id}/test`);
    expect([answer.status, answer.body.event_type]).toEqual([202, 'webhook.test']);
    await receiver.has(1);
    const [message] = receiver.received;
    expect(message?.body).toMatchObject({
      type: 'webhook.test',
      data: { webhook_id: webhook.id, links: {} },
    });
    expect(message?.headers['webhook-id']).toBe(answer.body.event_id);
  });

  // promises: WEBHOOK-6
  it('sign with both secrets after a rotation; neither is shown again or stored in plain text', async () => {
    const rotated = await path.gateway.call('admin', 'POST', `/webhooks/${webhook.id}/rotate-secret`, {});
    expect([rotated.status, rotated.body]).toEqual([
      200,
      {
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
        previous_valid_until: expect.any(String),
      },
    ]);
    expect(Date.parse(rotated.body.previous_valid_until)).toBeGreaterThan(Date.now() + 23 * 3_600_000);
    await path.gateway.call('admin', 'POST', `/webhooks/${webhook.id}/test`);
    await receiver.has(1);
    const [message] = receiver.received;
    if (message === undefined) throw new Error('nothing came');
    expect(String(message.headers['webhook-signature']).split(' ')).toHaveLength(2);
    expect(await isSigned(message, webhook.secret)).toBe(true);
    expect(await isSigned(message, rotated.body.secret)).toBe(true);
    const shown = [
      (await path.gateway.call('admin', 'GET', `/webhooks/${webhook.id}`)).text,
      (await path.gateway.call('admin', 'GET', '/webhooks')).text,
      (await path.gateway.call('admin', 'GET', '/audit/logs')).text,
      await dump(path.gateway.database),
    ].join('\n');
    for (const secret of [webhook.secret, rotated.body.secret as string]) {
      for (const spelling of spellings(secret.slice('whsec_'.length, -1)))
        expect(shown).not.toContain(spelling);
      const raw = Buffer.from(secret.slice('whsec_'.length), 'base64').toString('hex');
      expect(shown).not.toContain(raw);
    }
  });
});
