import { TLSSocket } from 'node:tls';
import { cancelUpstream, dialUpstream, type Upstream } from '../../src/proxies/postgres/upstream';
import type { UpstreamRefused } from '../../src/proxies/postgres/upstream-refused';
import type { TestDatabase } from '../support/database';
import { closedLatch } from '../support/latch';
import { freshTarget, secretOf } from '../support/target';
import { ask } from '../support/upstream';

const { signal } = new AbortController();

/**
 * Tests the target's side of a session on a real server: the messages to the server, the errors that are
 * reported, and the messages that the server returns.
 */
describe('an upstream', () => {
  let target: TestDatabase;
  let secret: Record<string, string>;
  const open: Upstream[] = [];

  beforeAll(async () => {
    target = await freshTarget();
    secret = secretOf(target);
  });

  afterEach(() => {
    for (const { socket } of open.splice(0)) socket.destroy();
  });

  afterAll(() => target.drop());

  const dial = async (parameters: Record<string, string> = {}, more: object = {}): Promise<Upstream> => {
    const greeting = { parameters: Object.entries(parameters), protocolMinor: 0 } as const;
    const upstream = await dialUpstream({ ...secret, ...more }, greeting, signal);
    open.push(upstream);
    return upstream;
  };
  const refusal = (parameters: Record<string, string>, more: object = {}): Promise<UpstreamRefused> =>
    dial(parameters, more).then(
      () => Promise.reject(new Error('was not refused')),
      (error: UpstreamRefused) => error,
    );

  it('is paused at the first ReadyForQuery, without listeners, with the server’s reports', async () => {
    const upstream = await dial();
    expect(upstream).toMatchObject({ transactionStatus: 'I', rest: Buffer.alloc(0), notices: [] });
    expect(Object.fromEntries(upstream.parameters)).toMatchObject({
      server_version: expect.stringMatching(/^\d+/),
      client_encoding: 'UTF8',
      standard_conforming_strings: 'on',
    });
    expect(upstream.processId).toBeGreaterThan(0);
    expect(upstream.socket.isPaused()).toBe(true);
    for (const event of ['data', 'readable', 'close', 'drain'])
      expect(upstream.socket.listenerCount(event)).toBe(0);
    expect(await ask(upstream, 'SELECT 40 + 2')).toContain('\0\0\0\x0242');
  });

  it('passes the parameters of the client on, as they are', async () => {
    const upstream = await dial({
      application_name: 'reports',
      search_path: 'elsewhere',
      DateStyle: 'SQL, DMY',
      timezone: 'Asia/Tokyo',
      statement_timeout: '12345',
      options: '-c work_mem=7MB --geqo=off -c application_name=other',
    });
    const [row] = await target.query<{ application_name: string }>(
      `SELECT application_name FROM pg_stat_activity WHERE pid = ${upstream.processId}`,
    );
    expect(row).toEqual({ application_name: 'reports' });
    expect(Object.fromEntries(upstream.parameters)).toMatchObject({
      DateStyle: 'SQL, DMY',
      TimeZone: 'Asia/Tokyo',
    });
    for (const [setting, value] of [
      ['search_path', 'elsewhere'],
      ['statement_timeout', '12345ms'],
      ['work_mem', '7MB'],
      ['geqo', 'off'],
    ])
      expect(await ask(upstream, `SHOW ${setting}`)).toContain(value);
  });

  it('does not pass on parameters that the gateway sets', async () => {
    const upstream = await dial({
      user: 'somebody',
      database: 'elsewhere',
      replication: 'database',
      Client_Encoding: 'LATIN1',
      options: '-c client_encoding=LATIN1',
      '_pq_.anything': 'x',
    });
    expect(upstream.parameters.get('client_encoding')).toBe('UTF8');
    expect(await ask(upstream, 'SELECT current_user || $$/$$ || current_database()')).toContain(
      `${secret['USER']}/${secret['DB']}`,
    );
  });

  it.each([
    [{ options: '-c no_such_setting=1' }, '42704', /unrecognized configuration parameter "no_such_setting"/],
    [{ TimeZone: 'Nowhere/Land' }, '22023', /invalid value for parameter "TimeZone": "Nowhere\/Land"/],
    [{ no_such_setting: '1' }, '42704', /no_such_setting/],
    [{ options: '-c max_connections=1' }, '55P02', /max_connections/],
  ])('tells what the server says of the client’s own parameters: %j', async (parameters, code, message) => {
    const { fields } = await refusal(parameters);
    expect(fields).toMatchObject({ severity: 'FATAL', code, message: expect.stringMatching(message) });
  });

  it('keeps the details and hints of the server', async () => {
    const { fields } = await refusal({ statement_timeout: '5 parsecs' });
    expect(fields).toMatchObject({ code: '22023', hint: expect.stringContaining('Valid units') });
  });

  it.each([
    ['a wrong password', { PASS: 'canary' }, '08004', /refused the user or the password/],
    ['an unknown user', { USER: 'canary' }, '08004', /refused the user or the password/],
    ['an unknown database', { DB: 'canary' }, '08004', /database of this connection does not exist/],
    ['a closed port', { PORT: '1' }, '08001', /connection was refused/],
    ['an unknown host', { HOST: 'canary.invalid' }, '08001', /host name/],
    ['no TLS', { SSLMODE: 'require' }, '08001', /does not support TLS/],
    ['no TLS to verify', { SSLMODE: 'verify-full' }, '08001', /does not support TLS/],
  ])('says plainly, and nothing of the secret: %s', async (_what, more, code, message) => {
    const refused = await refusal({ application_name: 'x' }, more);
    expect(refused.fields).toEqual({ severity: 'FATAL', code, message: expect.stringMatching(message) });
    expect(refused.cause).toBeUndefined();
    const text = `${refused.stack}${JSON.stringify(refused)}`;
    for (const part of ['canary', secret['USER'], secret['DB']]) expect(text).not.toContain(`${part}`);
  });

  it('reveals nothing about the database or its user', async () => {
    await target.query(`CREATE ROLE "stranger_${secret['DB']}" LOGIN PASSWORD 'x'`);
    await target.query(`REVOKE CONNECT ON DATABASE ${secret['DB']} FROM PUBLIC`);
    try {
      const stranger = { USER: `stranger_${secret['DB']}`, PASS: 'x' };
      expect((await refusal({}, stranger)).fields).toEqual({
        severity: 'FATAL',
        code: '08004',
        message: 'The user of this connection may not open its database.',
      });
    } finally {
      await target.query(`GRANT CONNECT ON DATABASE ${secret['DB']} TO PUBLIC`);
    }
    // Uses IntervalStyle, because it accepts only a fixed list of values, so a database name is refused.
    expect((await refusal({ IntervalStyle: `${secret['DB']}` })).fields).toEqual({
      severity: 'FATAL',
      code: '22023',
      message: 'The database refused a start-up parameter of the client.',
    });
    await target.query(`DROP ROLE "stranger_${secret['DB']}"`);
  });

  it.each([{}, { options: '-c standard_conforming_strings=off' }, { Standard_Conforming_Strings: 'off' }])(
    'reads strings as they are judged, whatever the database or the client has set: %j',
    async (parameters) => {
      await target.query(`ALTER DATABASE ${secret['DB']} SET standard_conforming_strings = off`);
      try {
        const upstream = await dial({ ...parameters, application_name: 'kept' });
        expect(upstream.parameters.get('standard_conforming_strings')).toBe('on');
        expect(upstream.parameters.get('application_name')).toBe('kept');
        const after = await ask(upstream, 'RESET ALL; SHOW standard_conforming_strings');
        expect(after).toContain('\0\0\0\x02on');
        expect(await ask(upstream, 'DISCARD ALL')).not.toContain('standard_conforming_strings');
      } finally {
        await target.query(`ALTER DATABASE ${secret['DB']} RESET standard_conforming_strings`);
      }
    },
  );

  it('keeps the notices of the start-up, as they came', async () => {
    await target.query(`
      CREATE FUNCTION greet() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE 'Welcome, %', 1; END $$;
      CREATE EVENT TRIGGER greet ON login EXECUTE FUNCTION greet();
      ALTER EVENT TRIGGER greet ENABLE ALWAYS;`);
    try {
      const { notices } = await dial();
      expect(notices).toHaveLength(1);
      expect(notices[0]?.toString('latin1')).toMatch(/^N\0\0..SNOTICE\0VNOTICE\0C00000\0MWelcome, 1\0/s);
    } finally {
      await target.query('DROP EVENT TRIGGER greet; DROP FUNCTION greet');
    }
  });

  it('cancels only what runs', async () => {
    const [upstream, other] = [await dial(), await dial()];
    const latch = await closedLatch(target);
    const [sleeping, untouched] = [ask(upstream, 'SELECT pg_sleep(100)'), ask(other, `SELECT ${latch.wait}`)];
    await Promise.all([running(upstream), running(other)]);
    await cancelUpstream(secret, upstream);
    expect(await sleeping).toContain('C57014');
    await latch.open();
    expect(await untouched).toContain('SELECT 1');
    expect(await ask(upstream, 'SELECT 40 + 2')).toContain('42');
  });

  it('cancels nothing with a wrong key, and a server that is gone costs nothing', async () => {
    const upstream = await dial();
    const latch = await closedLatch(target);
    const sleeping = ask(upstream, `SELECT ${latch.wait}`);
    await running(upstream);
    await cancelUpstream(secret, {
      ...upstream,
      secretKey: upstream.secretKey.map((byte, index) => (index === 0 ? byte ^ 1 : byte)) as Buffer,
    });
    await latch.open();
    expect(await sleeping).toContain('SELECT 1');
    await expect(cancelUpstream({ ...secret, PORT: '1' }, upstream)).resolves.toBeUndefined();
  });

  const running = async ({ processId }: Upstream): Promise<void> => {
    const question = `SELECT 1 FROM pg_stat_activity WHERE pid = ${processId} AND state = 'active'`;
    while ((await target.query(question)).length === 0);
  };

  it('is without TLS if the server has none and sslmode allows it', async () => {
    const { socket } = await dial({}, { SSLMODE: 'prefer' });
    expect(socket).not.toBeInstanceOf(TLSSocket);
  });
});
