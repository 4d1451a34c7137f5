import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describeProcesses } from '../support/describe';
import { GatewayProcess } from '../support/gateway-process';
import { ROOT } from '../support/root';
import { secretOf } from '../support/target';
import { volume } from '../support/volume';

const JSON_TYPE = { 'content-type': 'application/json' };
interface Init {
  method?: string;
  body?: string | Uint8Array;
  headers?: Record<string, string>;
}

const MEBIBYTE = 1024 * 1024;

describeProcesses('the REST edge of the built gateway', ({ database, target, production }) => {
  let token: string;
  let gateway: GatewayProcess;

  beforeAll(async () => {
    gateway = await GatewayProcess.start({
      ...production.variables,
      LOG_LEVEL: 'trace',
      NODE_OPTIONS: `--require ${join(ROOT, 'test/support/loaded-packages.cjs')}`,
    });
    token = await production.token();
  });

  afterAll(async () => {
    gateway.kill('SIGKILL');
    await gateway.exited;
  });

  function send(path: string, init: Init = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${token}`, ...init.headers };
    return fetch(`${gateway.api}${path}`, { ...init, redirect: 'manual', headers });
  }

  it('warns of no leak while it streams a recording, nor while it sends a file of it', async () => {
    const post = (path: string, body: unknown) =>
      send(path, { method: 'POST', body: JSON.stringify(body), headers: JSON_TYPE });
    await post('/connections', {
      name: 'streamed',
      type: 'database',
      subtype: 'postgres',
      secret: secretOf(target),
    });
    const ran = await post('/sessions', { connection: 'streamed', script: "SELECT repeat('x', 3000000)" });
    const { session_id: id } = (await ran.json()) as { session_id: string };
    const streamed = await (await send(`/sessions/${id}/stream`)).text();
    expect(streamed).toContain('event: end');
    const file = await (await send(`/sessions/${id}?extension=txt`)).text();
    expect(file.length).toBeGreaterThan(3_000_000);
    expect(gateway.stderr).toBe('');
  });

  describe('is a bundle (scripts/bundle.mjs) that lacks nothing, and has nothing twice:', () => {
    it('it describes each route and field as the sources do', async () => {
      const ofSources = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as unknown;
      expect(await (await send('/openapi.json')).json()).toEqual(ofSources);
    });

    it('it checks fields by the decorators of their classes', async () => {
      const body = JSON.stringify({ name: 'no name', type: 'none', subtype: 5, secret: {} });
      const answer = await send('/connections', { method: 'POST', body, headers: JSON_TYPE });
      expect(answer.status).toBe(400);
      const { message } = (await answer.json()) as { message: string };
      for (const field of ['name', 'type', 'subtype']) expect(message).toContain(field);
    });

    it('it is ASCII: with one other character, a process would hold its text with two bytes for each', () => {
      const folder = join(ROOT, 'dist', 'bundle');
      const programs = readdirSync(folder).filter((file) => file.endsWith('.js'));
      expect(programs).toContain('main.js');
      for (const file of programs)
        expect([file, readFileSync(join(folder, file)).findIndex((byte) => byte > 0x7f)]).toEqual([file, -1]);
    });

    it('it finds the pages of the documentation', async () => {
      const page = await (await send('/docs')).text();
      const files = [...page.matchAll(/(?:src|href)="([^"]+\.(?:js|css|png))"/g)].map(
        ([, file = '']) => file,
      );
      expect(files.length).toBeGreaterThan(3);
      for (const file of files) {
        const answer = await fetch(new URL(file, `${gateway.api}/docs`));
        expect([file, answer.status]).toEqual([file, 200]);
        expect((await answer.text()).length).toBeGreaterThan(100);
      }
    });

    it('it finds the portal', async () => {
      const page = await fetch(gateway.origin, { headers: { accept: 'text/html' } });
      expect(page.status).toBe(200);
      const [, script = ''] = /src="([^"]+\.js)"/.exec(await page.text()) ?? [];
      expect((await fetch(new URL(script, gateway.origin))).status).toBe(200);
    });

    // TypeORM must use the bundled driver. Errors of a driver that it loads itself would not be recognized.
    it('it has one driver of PostgreSQL: what the database takes back is tried again', async () => {
      await database.query(
        `CREATE SEQUENCE tries;
         CREATE FUNCTION take_back() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
           IF nextval('tries') = 1 THEN RAISE 'taken back' USING ERRCODE = 'serialization_failure'; END IF;
           RETURN NEW; END $$;
         CREATE TRIGGER take_back BEFORE INSERT ON connections FOR EACH ROW EXECUTE FUNCTION take_back()`,
      );
      const connection = { name: 'tried', type: 'database', subtype: 'postgres', secret: secretOf(target) };
      expect((await gateway.post('/connections', token, connection)).status).toBe(201);
      await gateway.says('The database rolled a transaction back (40001); attempt 1 of 4');
    });

    // A bundled package must not be loaded by name too, because that would be a second copy with other
    // classes.
    it('it loads no other packages than those that stay outside', async () => {
      gateway.kill('SIGUSR2');
      await gateway.says('"loaded packages"');
      const [line] = gateway.logLines().filter(({ msg }) => msg === 'loaded packages');
      expect(line?.['packages']).toEqual(['libpg-query', 'piscina', 'swagger-ui-dist']);
    });

    it('it judges long SQL in its thread, by the parser beside it', async () => {
      const secret = secretOf(target);
      const connection = { name: 'judged', type: 'database', subtype: 'postgres', secret };
      const made = (await (await gateway.post('/connections', token, connection)).json()) as { id: string };
      const entry = { type: 'sql_statement', words: [], pattern_regex: '', kinds: ['drop'] };
      await gateway.post('/guardrails', token, {
        name: 'no drops',
        connection_ids: [made.id],
        input: { rules: [entry] },
      });
      const statements = 'SELECT 1 AS n WHERE false;\n'.repeat(8_000);
      for (const [end, output_status] of [
        ['DROP TABLE t', 'blocked'],
        ['SELECT 1', 'success'],
      ]) {
        const script = JSON.stringify({ connection: 'judged', script: `${statements}${end}` });
        const answer = await send('/sessions', { method: 'POST', body: script, headers: JSON_TYPE });
        expect(await answer.json()).toMatchObject({ output_status });
      }
    });
  });

  describe('refuses a body', () => {
    const compressed = (encoding: string) => ({ ...JSON_TYPE, 'content-encoding': encoding });
    const tooLarge = JSON.stringify({ connection: 'x', script: 'x'.repeat(MEBIBYTE) });
    it.each<[string, number, string | Uint8Array, Record<string, string>]>([
      ['larger than 1 MiB', 413, tooLarge, JSON_TYPE],
      [
        'that grows beyond 1 MiB when unpacked',
        413,
        gzipSync(Buffer.alloc(volume(8, 64) * MEBIBYTE, ' ')),
        compressed('gzip'),
      ],
      ['that is no JSON', 400, '{"connection":', JSON_TYPE],
      ['that is JSON, but no object', 400, '"text"', JSON_TYPE],
      ['that is not compressed as it says', 400, 'no gzip', compressed('gzip')],
      ['in an encoding it does not know', 415, '{}', compressed('zstd-canary')],
      ['in a charset it does not know', 415, '{}', { 'content-type': 'application/json; charset=canary' }],
    ])('%s: %i', async (_, status, body, headers) => {
      const answer = await send('/sessions', { method: 'POST', body, headers });
      expect(answer.status).toBe(status);
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(await answer.json()).toEqual({ message: expect.stringMatching(/^[a-z][^{}\n]+$/) });
    });
  });

  it('accepts a body just below 1 MiB, and a compressed one', async () => {
    const script = { connection: 'no-such', script: 'x'.repeat(MEBIBYTE - 100) };
    const plain = await send('/sessions', {
      method: 'POST',
      body: JSON.stringify(script),
      headers: JSON_TYPE,
    });
    expect(plain.status).toBe(404);
    const body = gzipSync(JSON.stringify({ connection: 'no-such', script: 'SELECT 1' }));
    const headers = { ...JSON_TYPE, 'content-encoding': 'gzip' };
    expect((await send('/sessions', { method: 'POST', body, headers })).status).toBe(404);
  });

  it('keeps idle connections longer than load balancers do', async () => {
    expect((await send('/healthz')).headers.get('keep-alive')).toBe('timeout=65');
  });

  it.each([
    '/healthz',
    '/readyz',
    '/mcp-catalog',
    '/openapi.json',
    '/docs',
    '/no-such',
    '/sessions/x',
    '/%zz',
    '/callback',
    '/mcp',
    '/mcp/no-such',
  ])('names its answer to %s, and keeps the name that a caller gave', async (path) => {
    const own = await send(path);
    expect(own.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(own.status < 400 || own.headers.get('content-type')?.startsWith('application/json')).toBe(true);
    const given = await send(path, { headers: { 'x-request-id': 'caller:1-a.b_c' } });
    expect(given.headers.get('x-request-id')).toBe('caller:1-a.b_c');
    const unsafe = await send(path, { headers: { 'x-request-id': 'a"b' } });
    expect(unsafe.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each(['/mcp', '/mcp/no-such/', '/mcp/%6eo-such'])(
    'protects its answer to %s as those of REST',
    async (path) => {
      const kept = [
        'cache-control',
        'content-security-policy',
        'cross-origin-opener-policy',
        'cross-origin-resource-policy',
      ];
      kept.push('referrer-policy', 'x-content-type-options', 'x-frame-options', 'keep-alive');
      const ofRest = await send('/no-such');
      const answer = await send(path, { method: 'POST', body: '{}', headers: JSON_TYPE });
      // This shows that the request reached the MCP route: an unknown path gets a 404 of the REST API.
      expect(await answer.json()).toMatchObject({ jsonrpc: '2.0' });
      for (const name of kept)
        expect([name, answer.headers.get(name)]).toEqual([name, ofRest.headers.get(name)]);
      expect(answer.headers.get('x-powered-by')).toBeNull();
    },
  );

  it('answers a name that is no percent-encoding as it does everywhere', async () => {
    expect((await send('/mcp/%zz', { method: 'POST', body: '{}', headers: JSON_TYPE })).status).toBe(400);
  });

  it('logs JSON lines with the request id, and never a credential, a code or a body', async () => {
    const secret = secretOf(target);
    const connection = { name: 'orders', type: 'database', subtype: 'postgres', secret };
    const bad = { ...connection, name: 'bad', secret: { ...secret, PASS: 'canary-pass' } };
    for (const body of [connection, bad, { ...bad, secret: 'canary-body' }]) {
      await gateway.post('/connections', token, body);
    }
    const request = { headers: { 'x-request-id': 'the-script' } };
    const script = (name: string) => JSON.stringify({ connection: name, script: `SELECT 'canary-script'` });
    for (const name of ['orders', 'bad']) {
      const headers = { ...JSON_TYPE, ...request.headers };
      await send('/sessions', { method: 'POST', body: script(name), headers });
    }
    await send('/sessions', { method: 'POST', body: '{"canary-json', headers: JSON_TYPE });
    await send('/callback?code=canary-code&state=canary-state');
    await send('/mcp-catalog?access_token=canary-query', { headers: { cookie: 'a=canary-cookie' } });
    for (const scheme of ['Bearer canary-bearer', `Bearer ${token}x`, 'Basic canary-basic']) {
      await send('/mcp-catalog', { headers: { authorization: scheme } });
    }
    await send('/login');
    await send('/mcp/no-such?access_token=canary-query', {
      method: 'POST',
      body: '{"canary-json',
      headers: { ...JSON_TYPE, accept: 'application/json, text/event-stream', 'x-request-id': 'the-message' },
    });
    expect(await gateway.stop()).toEqual({ code: 0, signal: null });

    const lines = gateway.logLines();
    expect(lines).toContainEqual(
      expect.objectContaining({
        msg: 'request',
        req: { id: 'the-message', method: 'POST', path: '/api/mcp/no-such', remoteAddress: '127.0.0.1' },
        res: { statusCode: 400 },
        responseTime: expect.any(Number),
      }),
    );
    const named = lines.filter((line) => (line['req'] as { id?: string } | undefined)?.id === 'the-script');
    expect(named).toContainEqual(
      expect.objectContaining({
        msg: 'request',
        req: { id: 'the-script', method: 'POST', path: '/api/sessions', remoteAddress: '127.0.0.1' },
        res: { statusCode: 200 },
        responseTime: expect.any(Number),
      }),
    );
    const all = `${gateway.stdout}${gateway.stderr}`;
    expect(all).not.toMatch(/.*canary.*/);
    const { DATABASE_URL = '', SECRET_KEY = '' } = production.variables;
    for (const text of [token, token.split('.')[1] ?? '', SECRET_KEY, new URL(DATABASE_URL).password]) {
      expect(all).not.toContain(text);
    }
    const states = await database.query<{ state: string }>(
      `SELECT encode(state_hash, 'base64') AS state FROM login_states`,
    );
    for (const { state } of states) expect(all).not.toContain(state);
  });
});
