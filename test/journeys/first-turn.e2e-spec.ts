import { describeGateway } from '../support/describe';
import { signIn } from '../support/browser-sign-in';
import { connect, freshTarget } from '../support/target';

describeGateway('the first whole turn', ({ gateway, begin }) => {
  const target = begin(freshTarget, (database) => database.drop());
  let token: string;

  const call = async (method: string, path: string, body?: unknown) =>
    gateway.call(null, method, path, body, { authorization: `Bearer ${token}` });

  // promises: AUTH-1, AUTH-2
  it('signs in through the identity provider as a browser would', async () => {
    const login = await gateway.call(null, 'GET', '/login');
    expect(login.status).toBe(200);
    const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const callback = await signIn(login.body.login_url, 'admin');
    const back = await gateway.call(
      null,
      'GET',
      `${callback.pathname.replace('/api', '')}${callback.search}`,
      undefined,
      {
        cookie,
      },
    );
    expect(back.status).toBe(307);
    const location = new URL(back.headers.get('location') ?? '');
    expect(location.search).toBe('');
    token = new URLSearchParams(location.hash.slice(1)).get('access_token') ?? '';
    expect((await call('GET', '/userinfo')).body).toMatchObject({
      id: 'admin',
      role: 'admin',
      email: 'admin@example.com',
    });
  });

  // promises: SERVICE-1, SERVICE-2, RUN-1
  it('runs a SELECT, blocks a DROP, and reads both sessions back in every form', async () => {
    const connectionId = await connect(gateway, target, 'orders');
    const rule = await call('POST', '/guardrails', {
      name: 'no-drops',
      input: {
        rules: [
          {
            type: 'deny_words_list',
            words: ['DROP TABLE'],
            pattern_regex: '',
            message: 'We keep our tables.',
          },
        ],
      },
      connection_ids: [connectionId],
    });
    expect(rule.status).toBe(201);

    const select = await call('POST', '/sessions', {
      connection: 'orders',
      script: 'SELECT * FROM customers ORDER BY id',
    });
    expect(select.status).toBe(200);
    expect(select.body).toMatchObject({
      output: 'id\tname\temail\n1\tGrace\tgrace@example.com\n2\tEdsger\t\\N\n',
      output_status: 'success',
      exit_code: 0,
      truncated: false,
      has_review: false,
      review_id: null,
    });

    const drop = await call('POST', '/sessions', { connection: 'orders', script: 'drop table customers' });
    expect(drop.status).toBe(200);
    expect(drop.body).toMatchObject({
      output_status: 'blocked',
      exit_code: 254,
      output: 'We keep our tables.',
    });
    expect(await target.query('SELECT count(*)::int FROM customers')).toEqual([{ count: 2 }]);

    const script = Buffer.from('SELECT * FROM customers ORDER BY id').toString('base64');
    const output = 'id\tname\temail\n1\tGrace\tgrace@example.com\n2\tEdsger\t\\N\n';
    const id = select.body.session_id as string;
    const read = async (query: string) => (await call('GET', `/sessions/${id}${query}`)).body;

    const plain = await read('');
    expect(plain).toMatchObject({
      status: 'done',
      verb: 'exec',
      type: 'database',
      role_name: 'orders',
      connection: 'orders',
      user: 'admin@example.com',
      user_id: 'admin',
      exit_code: 0,
      script: { data: 'SELECT * FROM customers ORDER BY id' },
      script_size: 35,
      event_stream: [],
      review: null,
      metrics: {
        events_received: 2,
        events_stored: 2,
        events_buffered: 0,
        guardrails: { checked: 1, blocked: 0 },
      },
    });
    expect(plain.event_size).toBe(35 + output.length);
    expect(Date.parse(plain.end_date)).toBeGreaterThanOrEqual(Date.parse(plain.start_date));

    expect((await read('?expand=event_stream')).event_stream).toEqual([
      [expect.any(Number), 'i', script],
      [expect.any(Number), 'o', Buffer.from(output).toString('base64')],
    ]);
    expect(await read('?event_stream=utf8')).toMatchObject({
      event_stream: [output],
      event_size: output.length,
    });
    expect((await read('?event_stream=base64')).event_stream).toEqual([
      Buffer.from(output).toString('base64'),
    ]);
    expect((await read('?event_stream=raw-queries')).event_stream).toEqual([
      [expect.any(Number), 'i', script],
    ]);

    const csv = await call('GET', `/sessions/${id}?extension=csv`);
    expect(csv.text).toBe('"id","name","email"\r\n"1","Grace","grace@example.com"\r\n"2","Edsger",""\r\n');
    expect(csv.headers.get('content-disposition')).toMatch(
      new RegExp(`^attachment; filename="orders-${id}-\\d{8}-\\d{6}\\.csv"$`),
    );
    const json = await call('GET', `/sessions/${id}?extension=json&events=i,o`);
    expect(
      json.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      {
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        type: 'i',
        stream: 'SELECT * FROM customers ORDER BY id',
      },
      { time: expect.any(String), type: 'o', stream: output },
    ]);

    const refused = (await call('GET', `/sessions/${drop.body.session_id}?event_stream=utf8`)).body;
    expect(refused).toMatchObject({
      status: 'done',
      exit_code: 254,
      event_stream: ['We keep our tables.\n'],
      guardrails_info: [
        {
          rule_name: 'no-drops',
          direction: 'input',
          rule: { type: 'deny_words_list', words: ['DROP TABLE'], pattern_regex: '' },
          matched_words: ['drop table'],
          message: 'We keep our tables.',
        },
      ],
      metrics: { guardrails: { checked: 1, blocked: 1 } },
    });
  });
});
