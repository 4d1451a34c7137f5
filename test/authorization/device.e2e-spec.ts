import { whoIs } from '../support/callers';
import { beginDevice, openDevicePage, pollDevice, submit } from '../support/command-line-sign-in';
import { describeGateway } from '../support/describe';
import { postForm, registerClient, resourceOf } from '../support/mcp-sign-in';

describeGateway('signing in at a device without a browser', ({ gateway }) => {
  const expire = () =>
    gateway.database.query(
      `UPDATE authorization_devices SET expires_at = expires_at - interval '10 minutes'`,
    );
  /** Simulates that the device waited between its requests. */
  const rested = () =>
    gateway.database.query(
      `UPDATE authorization_devices SET polled_at = polled_at - interval '1 minute' WHERE polled_at IS NOT NULL`,
    );

  // promises: CLI-6
  it('begins with a code of unmistakable letters, and an address that does not contain it', async () => {
    const answer = await postForm(gateway, '/oauth/device_authorization', {
      client_id: 'gateway-cli',
      resource: gateway.api,
    });
    expect([answer.status, answer.headers.get('cache-control'), answer.body]).toEqual([
      200,
      'no-store',
      {
        device_code: expect.stringMatching(/^gwd_[\w-]{43}$/),
        user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
        verification_uri: `${gateway.api}/pages/device`,
        expires_in: 600,
        interval: 5,
      },
    ]);
    const { id } = await registerClient(gateway);
    for (const [form, error] of [
      [{ client_id: id, resource: gateway.api }, 'unauthorized_client'],
      [{ client_id: 'gateway-cli' }, 'invalid_request'],
      [{ client_id: 'gateway-cli', resource: resourceOf(gateway, 'linear') }, 'invalid_target'],
    ] as const) {
      const refused = await postForm(gateway, '/oauth/device_authorization', form);
      expect([refused.status, refused.body.error]).toEqual([400, error]);
    }
  });

  // promises: CLI-6, CLI-7
  it('ends with tokens, once, when the person who typed the code allows what the page shows', async () => {
    const device = await beginDevice(gateway);
    expect((await pollDevice(gateway, device.deviceCode)).body.error).toBe('authorization_pending');
    const form = await openDevicePage(device.page, 'alice');
    expect(form.html).toContain('Type the code');
    expect(form.html).not.toContain(device.userCode);
    const typed = device.userCode.toLowerCase().replace('-', ' ');
    const question = await submit(form, { user_code: typed });
    expect(question.status).toBe(200);
    for (const text of [
      device.userCode,
      '127.0.0.1',
      'Nobody has a reason to send you a code',
      'alice@example.com',
    ])
      expect(question.html).toContain(text);
    const code = device.userCode.replace('-', '');
    const done = await submit(question, { user_code: code, decision: 'allow' });
    expect([done.status, done.html]).toEqual([200, expect.stringContaining('You are signed in')]);
    await rested();

    const both = await Promise.all([
      pollDevice(gateway, device.deviceCode),
      pollDevice(gateway, device.deviceCode),
    ]);
    const given = both.filter(({ status }) => status === 200);
    expect(given.map(({ body }) => body.scope)).toEqual(['api']);
    expect(both.find(({ status }) => status !== 200)?.body.error).toBe('invalid_grant');
    expect((await whoIs(gateway, given[0]?.body.access_token as string)).body.id).toBe('alice');
    expect((await pollDevice(gateway, device.deviceCode)).body.error).toBe('invalid_grant');
    expect((await submit(form, { user_code: code })).html).toContain('unknown, was used or has expired');
    const [line] = (await gateway.call('admin', 'GET', '/audit/logs?resource_type=authorizations')).body.data;
    expect(line).toMatchObject({ action: 'create', outcome: 'success', actor: { id: 'alice' } });
    expect(line.changes).toContainEqual({ field: 'reason', before: null, after: 'asked from 127.0.0.1' });
  });

  // promises: CLI-7
  it('ends without tokens when the person refuses, or nobody decides in time', async () => {
    const [refused, late] = [await beginDevice(gateway), await beginDevice(gateway)];
    const form = await openDevicePage(refused.page, 'alice');
    const question = await submit(form, { user_code: refused.userCode });
    await submit(question, { user_code: refused.userCode, decision: 'refuse' });
    expect((await pollDevice(gateway, refused.deviceCode)).body.error).toBe('access_denied');
    await expire();
    expect((await pollDevice(gateway, late.deviceCode)).body.error).toBe('expired_token');
    expect((await submit(form, { user_code: late.userCode })).status).toBe(422);
  });

  // promises: CLI-7
  it('makes a device wait longer that asks too often, and tells others nothing', async () => {
    const { deviceCode } = await beginDevice(gateway);
    const errors = [];
    for (let n = 0; n < 3; n++) errors.push((await pollDevice(gateway, deviceCode)).body.error);
    expect(errors).toEqual(['authorization_pending', 'slow_down', 'slow_down']);
    const [row] = await gateway.database.query(
      `SELECT interval_seconds FROM authorization_devices ORDER BY created_at DESC LIMIT 1`,
    );
    expect(row).toEqual({ interval_seconds: 15 });
    const { id } = await registerClient(gateway);
    expect((await pollDevice(gateway, deviceCode, id)).body.error).toBe('invalid_grant');
    expect((await pollDevice(gateway, 'gwd_unknown')).body.error).toBe('invalid_grant');
  });

  // promises: CLI-7
  it('takes a form from its own page only, for the code that it showed, from the browser that it knows', async () => {
    const [one, other] = [await beginDevice(gateway), await beginDevice(gateway)];
    const form = await openDevicePage(one.page, 'alice');
    const question = await submit(form, { user_code: one.userCode });
    const decision = 'allow';
    const foreign = { 'sec-fetch-site': 'cross-site' };
    const statuses = [
      await submit(question, { user_code: one.userCode, decision }, foreign),
      await submit(question, { user_code: one.userCode, decision }, { origin: 'https://evil.example.com' }),
      await submit(question, { user_code: one.userCode, decision, proof: '' }),
      // The proof in the first page's form is not valid for a decision. The proof in the form of a question
      // is valid only for the user code of that question.
      await submit(form, { user_code: one.userCode, decision }),
      await submit(question, { user_code: other.userCode, decision }),
      await submit(
        { ...question, browser: (await openDevicePage(one.page, 'bob')).browser },
        {
          user_code: one.userCode,
          decision,
        },
      ),
    ].map(({ status }) => status);
    expect(statuses).toEqual([403, 403, 403, 403, 403, 403]);
    for (const { deviceCode } of [one, other])
      expect((await pollDevice(gateway, deviceCode)).body.error).toBe('authorization_pending');
  });

  // promises: CLI-7
  it('gives a person few attempts', async () => {
    const form = await openDevicePage(new URL(`${gateway.api}/pages/device`), 'auditor');
    const statuses = [];
    for (let n = 0; n < 21; n++) statuses.push((await submit(form, { user_code: 'BCDF-GHJK' })).status);
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 422), 429]);
  });

  // promises: CLI-8
  it('stores codes as hashes, and a flood drops the oldest only', async () => {
    const { deviceCode, userCode } = await beginDevice(gateway);
    const stored = await gateway.database.query('SELECT d::text FROM authorization_devices AS d');
    for (const secret of [deviceCode, userCode.replace('-', '')]) {
      expect(JSON.stringify(stored)).not.toContain(secret);
      expect(JSON.stringify(stored)).not.toContain(Buffer.from(secret).toString('hex'));
    }
    await gateway.database.query(
      `INSERT INTO authorization_devices
       SELECT org_id, gen_random_uuid(), decode(md5(n::text), 'hex'), decode(md5(n::text), 'hex'), client_id, address,
         user_agent, created_at - interval '1 hour', expires_at, 5, NULL, NULL, NULL
       FROM (SELECT * FROM authorization_devices ORDER BY created_at DESC LIMIT 1) AS d, generate_series(1, 1100) AS n`,
    );
    await beginDevice(gateway);
    const [count] = await gateway.database.query('SELECT count(*)::int FROM authorization_devices');
    expect(count).toEqual({ count: 1000 });
    expect((await pollDevice(gateway, deviceCode)).body.error).toBe('authorization_pending');
  });
});
