import { TargetDirectory } from '../../src/gate/ports/target-directory';
import { auditLineOf } from '../support/audit';
import { describeGateway } from '../support/describe';
import { startGateway } from '../support/gateway';
import { dump } from '../support/canary';
import { someOf } from '../support/volume';

/** The policy for clients of an MCP server: a readable field of its connection. */
describeGateway('the policy of an MCP connection', ({ gateway }) => {
  let count = 0;
  const server = (more: object = {}) => ({
    name: `server-${++count}`,
    type: 'application',
    subtype: 'mcpproxy',
    secret: { REMOTE_URL: 'https://mcp.example.com/mcp' },
    access_groups: ['*'],
    ...more,
  });
  const withKeys = (keys: object, more: object = {}) =>
    server({ secret: { REMOTE_URL: 'https://mcp.example.com/mcp', ...keys }, ...more });
  const post = (body: object) => gateway.call('admin', 'POST', '/connections', body);
  const path = (name: string) => `/connections/${name}`;

  const EVERYTHING = {
    tools: { allowed: [], denied: [], approval: [] },
    resources: { allowed: [], denied: [] },
    prompts: { allowed: [], denied: [] },
    new_tools: 'allow',
    server_requests: [],
    calls_per_minute: null,
    result_bytes: null,
    streams: null,
  };
  const FULL = {
    tools: { allowed: ['read_*', 'write_*'], denied: ['*_all'], approval: ['write_*'] },
    resources: { allowed: ['file:///srv/*'], denied: ['*,*'] },
    prompts: { allowed: ['summary'], denied: ['?'] },
    new_tools: 'hold',
    server_requests: ['elicitation', 'roots'],
    calls_per_minute: 60,
    result_bytes: 1_048_576,
    streams: 4,
  };

  // promises: TOOL-1
  it('is read back as it was written, and allows everything where nothing is said', async () => {
    const [full, none] = [
      await post(server({ mcp_policy: FULL, name: 'full' })),
      await post(server({ name: 'none' })),
    ];
    expect([full.status, full.body.mcp_policy]).toEqual([201, FULL]);
    expect([none.status, none.body.mcp_policy]).toEqual([201, EVERYTHING]);
    const read = await gateway.call('alice', 'GET', path('full'));
    expect(read.body.mcp_policy).toEqual(FULL);
  });

  // promises: TOOL-1
  it('is replaced whole by PUT, changed in parts by PATCH, each by the version that was read', async () => {
    const body = server({ mcp_policy: FULL });
    const created = await post(body);
    const stale = created.headers.get('etag');
    const patched = await gateway.call('admin', 'PATCH', path(body.name), {
      mcp_policy: { tools: { denied: ['drop_*', 'drop_*'] }, calls_per_minute: null },
    });
    expect(patched.body.mcp_policy).toEqual({
      ...FULL,
      tools: { ...FULL.tools, denied: ['drop_*'] },
      calls_per_minute: null,
    });
    expect(patched.headers.get('etag')).not.toBe(stale);
    const late = await gateway.call(
      'admin',
      'PATCH',
      path(body.name),
      { mcp_policy: { new_tools: 'allow' } },
      { 'if-match': stale ?? '' },
    );
    expect(late.status).toBe(412);
    const untouched = await gateway.call('admin', 'PATCH', path(body.name), {
      description: 'x',
      mcp_policy: null,
    });
    expect(untouched.body.mcp_policy).toEqual(patched.body.mcp_policy);
    const { mcp_policy: _, ...without } = body as typeof body & { mcp_policy: object };
    const replaced = await gateway.call('admin', 'PUT', path(body.name), without);
    expect([replaced.status, replaced.body.mcp_policy]).toEqual([200, EVERYTHING]);
    const partly = await gateway.call('admin', 'PUT', path(body.name), {
      ...body,
      mcp_policy: { prompts: { denied: ['a'] } },
    });
    expect(partly.body.mcp_policy).toEqual({ ...EVERYTHING, prompts: { allowed: [], denied: ['a'] } });
  });

  // promises: TOOL-1
  it('takes back what was read, of every kind of connection', async () => {
    const { body: read } = await post(server({ mcp_policy: FULL }));
    const again = await gateway.call('admin', 'PUT', path(read.name), read);
    expect([again.status, again.body.mcp_policy]).toEqual([200, FULL]);
    const database = {
      name: 'database',
      type: 'database',
      subtype: 'postgres',
      secret: { HOST: 'db', USER: 'app', DB: 'orders' },
    };
    const created = await post({ ...database, mcp_policy: null });
    expect([created.status, created.body.mcp_policy]).toEqual([201, null]);
    expect((await gateway.call('admin', 'PUT', path('database'), created.body)).status).toBe(200);
    for (const answer of [
      await post({ ...database, name: 'other', mcp_policy: {} }),
      await gateway.call('admin', 'PATCH', path('database'), { mcp_policy: { streams: 1 } }),
    ])
      expect([answer.status, answer.body.message]).toEqual([
        422,
        'a connection of subtype postgres has no mcp_policy',
      ]);
    const key = await gateway.call('admin', 'PATCH', path('database'), {
      secret: { MCP_ALLOWED_TOOLS: 'a' },
    });
    expect([key.status, key.body.message]).toEqual([
      422,
      'secret.MCP_ALLOWED_TOOLS is not known for database/postgres',
    ]);
  });

  // promises: TOOL-2
  it('is taken from the secret under the reference system’s names, which are then no secrets', async () => {
    const keys = {
      MCP_ALLOWED_TOOLS: 'read_*, write_*',
      'envvar:MCP_DENIED_TOOLS': Buffer.from('*_all').toString('base64'),
      MCP_APPROVAL_TOOLS: 'write_*\n',
      MCP_ALLOWED_RESOURCES: 'file:///srv/*',
      MCP_DENIED_RESOURCES: '["*,*"]',
      MCP_ALLOWED_PROMPTS: 'summary',
      MCP_DENIED_PROMPTS: '?',
      MCP_NEW_TOOLS: 'hold',
      MCP_SERVER_REQUESTS: 'elicitation,roots',
      MCP_CALLS_PER_MINUTE: '60',
      MCP_RESULT_BYTES: '1048576',
      MCP_STREAMS: '4',
    };
    const body = withKeys(keys);
    const created = await post(body);
    expect([created.status, created.body.mcp_policy, created.body.secret]).toEqual([
      201,
      FULL,
      { REMOTE_URL: '' },
    ]);
    const etag = created.headers.get('etag');
    // Both names are fields of the policy, not of the secret, so the target's status is kept.
    const changed = await gateway.call('admin', 'PATCH', path(body.name), {
      secret: { MCP_DENIED_TOOLS: 'purge_*', MCP_NEW_TOOLS: '' },
    });
    expect(changed.body.mcp_policy).toEqual({ ...FULL, tools: { ...FULL.tools, denied: ['purge_*'] } });
    expect(changed.headers.get('etag')).not.toBe(etag);
    const { changes } = await auditLineOf(gateway, changed);
    expect(changes.map(({ field }) => field)).toEqual(['mcp_policy']);
  });

  // promises: TOOL-2, TOOL-4
  it.each<[string, object, string]>([
    [
      'a field that both say',
      withKeys({ MCP_DENIED_TOOLS: 'a' }, { mcp_policy: { tools: { denied: ['b'] } } }),
      'secret.MCP_DENIED_TOOLS and mcp_policy.tools.denied are the same, give one of them',
    ],
    [
      'a key that is no choice',
      withKeys({ MCP_NEW_TOOLS: 'canary-1' }),
      'secret.MCP_NEW_TOOLS must be one of allow, hold',
    ],
    [
      'an unknown request of servers',
      withKeys({ MCP_SERVER_REQUESTS: 'sampling,canary-1' }),
      'secret.MCP_SERVER_REQUESTS must be one of sampling, elicitation, roots',
    ],
    [
      'a list that is no list',
      withKeys({ MCP_ALLOWED_TOOLS: '["a", 1]', MCP_STREAMS: '0' }),
      'secret.MCP_ALLOWED_TOOLS must be comma-separated or a JSON array of strings; secret.MCP_STREAMS must be a whole number from 1 to 1000',
    ],
    [
      'too many patterns',
      withKeys({ MCP_ALLOWED_TOOLS: Array.from({ length: 201 }, (_, index) => `t${index}`).join(',') }),
      'secret.MCP_ALLOWED_TOOLS must not have more than 200 patterns',
    ],
    [
      'a pattern that is too long',
      withKeys({ MCP_ALLOWED_TOOLS: 'x'.repeat(257) }),
      'secret.MCP_ALLOWED_TOOLS must have patterns of 1 to 256 characters',
    ],
    [
      'too many patterns in the field',
      server({ mcp_policy: { tools: { approval: Array.from({ length: 201 }, () => 'a') } } }),
      'mcp_policy.tools.approval must contain no more than 200 elements',
    ],
    [
      'an empty pattern',
      server({ mcp_policy: { prompts: { denied: [''] } } }),
      'each value in mcp_policy.prompts.denied must be longer than or equal to 1 and shorter than or equal to 256 characters',
    ],
    [
      'NUL in a pattern',
      server({ mcp_policy: { resources: { allowed: ['a\0'] } } }),
      'each value in mcp_policy.resources.allowed must not contain NUL characters or lone surrogates',
    ],
    [
      'a limit out of range',
      server({ mcp_policy: { calls_per_minute: 0 } }),
      'mcp_policy.calls_per_minute must not be less than 1',
    ],
  ])('is 422 with the path of %s', async (_, body, message) => {
    const before = await gateway.database.query('SELECT count(*) FROM connections');
    const answer = await post(body);
    expect([answer.status, answer.body.message]).toEqual([422, message]);
    expect(await gateway.database.query('SELECT count(*) FROM connections')).toEqual(before);
    expect(answer.text).not.toContain('canary-1');
  });

  it.each<[string, unknown]>([
    ['an unknown field', { tools: { allow: ['a'] } }],
    ['a text in place of a list', { tools: { allowed: 'a' } }],
    ['a list in place of an object', []],
    ['a fraction', { streams: 1.5 }],
  ])('is 400 for %s', async (_, mcp_policy) => {
    expect((await post(server({ mcp_policy }))).status).toBe(400);
  });

  // promises: TOOL-1
  it('is what sessions get, also at another gateway and after a change', async () => {
    const body = server({ mcp_policy: FULL });
    const { body: created } = await post(body);
    const other = await startGateway({ beside: gateway });
    const seenBy = async (from: typeof gateway) =>
      (await from.app.get(TargetDirectory, { strict: false }).known(created.org_id, created.id))?.mcp;
    const expected = {
      tools: FULL.tools,
      resources: FULL.resources,
      prompts: FULL.prompts,
      newTools: 'hold',
      serverRequests: ['elicitation', 'roots'],
      callsPerMinute: 60,
      resultBytes: 1_048_576,
      streams: 4,
    };
    expect(await seenBy(gateway)).toEqual(expected);
    await gateway.call('admin', 'PATCH', path(body.name), { mcp_policy: { streams: 2 } });
    expect(await seenBy(other)).toEqual({ ...expected, streams: 2 });
    await other.close();
    expect(await dump(gateway.database)).toContain('file:///srv/*');
  });

  // promises: CONNECTION-16
  describe('made from the catalog', () => {
    it('is filled with what the catalog says, and read back', async () => {
      const created = await post({ name: 'my-github', catalog: 'github', access_groups: ['*'] });
      expect(created.status).toBe(201);
      expect(created.body).toMatchObject({
        type: 'application',
        subtype: 'mcpproxy',
        catalog: 'github',
        secret: { MCP_AUTH: '', MCP_TRANSPORT: '', REMOTE_URL: '' },
        mcp_policy: EVERYTHING,
      });
      const { body: entries } = await gateway.call('alice', 'GET', '/mcp-catalog');
      const entry = (entries as { name: string; url: string; transport: string; auth: string }[]).find(
        ({ name }) => name === 'github',
      );
      expect(await secretOf(created.body)).toEqual({
        REMOTE_URL: entry?.url,
        MCP_TRANSPORT: entry?.transport,
        MCP_AUTH: entry?.auth,
      });
      expect((await gateway.call('alice', 'GET', path('my-github'))).body.catalog).toBe('github');
      expect((await gateway.call('admin', 'PUT', path('my-github'), created.body)).status).toBe(200);
    });

    it('lets what the body says win', async () => {
      const created = await post({
        name: 'eu-data',
        catalog: 'amplitude',
        secret: {
          'envvar:REMOTE_URL': Buffer.from('https://mcp.eu.amplitude.com/mcp').toString('base64'),
          MCP_AUTH: 'static',
          MCP_TRANSPORT: '',
          HEADER_Authorization: 'Bearer x',
        },
      });
      expect(created.status).toBe(201);
      const stored = {
        REMOTE_URL: 'https://mcp.eu.amplitude.com/mcp',
        MCP_TRANSPORT: 'streamable-http',
        MCP_AUTH: 'static',
        HEADER_Authorization: 'Bearer x',
      };
      expect(await secretOf(created.body)).toEqual(stored);
      // A PUT that sends the names of secret fields back with empty values keeps the stored values.
      const { body } = await gateway.call('admin', 'GET', '/connections/eu-data');
      expect((await gateway.call('admin', 'PUT', '/connections/eu-data', body)).status).toBe(200);
      expect(await secretOf(created.body)).toEqual(stored);
    });

    it('works for every entry, and warns of a header that is missing', async () => {
      const { body } = await gateway.call('alice', 'GET', '/mcp-catalog');
      const entries = body as { name: string; auth: string; header: string }[];
      expect(entries.some(({ auth }) => auth === 'static')).toBe(true);
      const statics = entries.filter(({ auth }) => auth === 'static');
      const tried = new Set([...someOf(entries, 6), ...someOf(statics, 3)]);
      for (const [index, { name, auth, header }] of [...tried].entries()) {
        const created = await post({ name: `entry-${index}`, catalog: name, access_groups: ['*'] });
        expect([name, created.status]).toEqual([name, 201]);
        const warned = (created.body.warnings as string[]).filter((text) =>
          text.includes('wants the header'),
        );
        expect([name, warned.length]).toEqual([name, auth === 'static' ? 1 : 0]);
        if (auth !== 'static') continue;
        const field = `HEADER_${header.split(':')[0]?.replaceAll('-', '_')}`;
        expect(warned[0]).toContain(`secret.${field}`);
        const { body: quiet } = await gateway.call('admin', 'PATCH', path(`entry-${index}`), {
          secret: { [field]: 'x' },
        });
        expect(quiet.warnings.filter((text: string) => text.includes('wants the header'))).toEqual([]);
      }
    });

    it('refuses an entry that does not exist, another one, and what is incomplete', async () => {
      const unknown = await post({ name: 'unknown', catalog: 'no-such\u200Bserver' });
      expect([unknown.status, unknown.body.message]).toEqual([
        422,
        expect.stringMatching(/^catalog must not contain control, invisible/),
      ]);
      const missing = await post({ name: 'missing', catalog: '__proto__' });
      expect([missing.status, missing.body.message]).toEqual([
        422,
        'catalog: there is no entry named __proto__',
      ]);
      await post({ name: 'sentry-1', catalog: 'sentry' });
      const other = await gateway.call('admin', 'PATCH', path('sentry-1'), { catalog: 'github' });
      expect([other.status, other.body.message]).toEqual([
        422,
        'catalog cannot be changed, it says what the connection was made from',
      ]);
      const none = await post({ name: 'none-1', catalog: null });
      expect([none.status, none.body.message]).toEqual([400, expect.stringMatching(/type must be/)]);
      const wrongKind = await post({
        name: 'wrong',
        catalog: 'sentry',
        type: 'database',
        subtype: 'postgres',
      });
      expect([wrongKind.status, wrongKind.body.message]).toEqual([
        422,
        expect.stringContaining('secret.REMOTE_URL is not known for database/postgres'),
      ]);
    });
  });

  async function secretOf({ org_id, id }: { org_id: string; id: string }) {
    return (await gateway.app.get(TargetDirectory, { strict: false }).known(org_id, id))?.openSecret();
  }
});
