import { randomUUID } from 'node:crypto';
import { describeDataPath } from '../support/describe';
import { createRule, denyWords } from '../support/guardrails';

/** Invalid connections are refused, and nothing is written. */
describeDataPath('connections', ({ path }) => {
  let count = 0;

  const postgres = (secret: object = {}) => ({
    name: `connection-${++count}`,
    type: 'database',
    subtype: 'postgres',
    secret: { HOST: 'db', USER: 'app', DB: 'orders', ...secret },
  });
  const post = (body: object) => path.gateway.call('admin', 'POST', '/connections', body);
  const countConnections = () =>
    path.gateway.database.query(
      `SELECT (SELECT count(*) FROM connections)::int AS connections,
              (SELECT count(*) FROM guardrail_connections)::int AS bindings`,
    );

  // promises: CONNECTION-1
  it('are read back as they were written, but for the secret', async () => {
    const rule = await createRule(path.gateway, { name: 'bound', input: denyWords(['x']) });
    const body = {
      ...postgres({ PORT: '6432', PASS: 'p' }),
      description: 'for the test',
      connection_tags: { environment: 'test' },
      attributes: ['pii', 'pii'],
      guardrail_rules: [rule, rule],
      access_groups: ['dba'],
      emergency_access_groups: ['on-call'],
      access_mode_connect: 'disabled',
      access_mode_exec: 'enabled',
      access_mode_runbooks: 'disabled',
      access_schema: 'disabled',
      resource_name: 'orders-db',
      recording: 'input-only',
      recording_mode: 'journal+fsync',
      retention_days: 365,
      record_results: true,
      mcp_policy: null,
      catalog: null,
    };
    const created = await post(body);
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      ...body,
      attributes: ['pii'],
      guardrail_rules: [rule],
      secret: { DB: '', HOST: '', PASS: '', PORT: '', USER: '' },
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      org_id: expect.any(String),
      status: 'unknown',
      status_at: null,
      mcp_auth: null,
      managed_by: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      warnings: [
        expect.stringMatching(/^access_groups has no effect: /),
        expect.stringMatching(/^record_results has no effect: /),
      ],
    });
  });

  // promises: HTTP-3, HTTP-22
  it('accept what the reference system’s clients send, and ignore it', async () => {
    const answer = await post({
      ...postgres(),
      id: randomUUID(),
      org_id: randomUUID(),
      status: 'offline',
      managed_by: 'gateway',
      agent_id: 'a',
      command: ['psql'],
      redact_enabled: true,
      tags: [],
      reviewers: ['dba'],
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ status: 'unknown', status_at: null, managed_by: null });
  });

  const tags = (amount: number) =>
    Object.fromEntries(Array.from({ length: amount }, (_, i) => [`k${i}`, 'v']));

  // promises: CONNECTION-2, HTTP-4
  it.each<[string, () => object, number, RegExp]>([
    ['no host', () => postgres({ HOST: undefined }), 422, /^secret\.HOST is required$/],
    ['an empty user', () => postgres({ USER: '' }), 422, /^secret\.USER is required$/],
    [
      'two unknown names',
      () => postgres({ PASSWORD: 'x', Host: 'x' }),
      422,
      /^secret\.PASSWORD is not known for database\/postgres; secret\.Host is not known/,
    ],
    [
      'a port beyond all ports',
      () => postgres({ PORT: '65536' }),
      422,
      /^secret\.PORT must be a port number$/,
    ],
    [
      'a TLS mode that does not exist',
      () => postgres({ SSLMODE: 'maybe' }),
      422,
      /^secret\.SSLMODE must be one of disable/,
    ],
    ['a secret that is a number', () => postgres({ PORT: 5432 }), 400, /^secret\.PORT must be a string$/],
    ['NUL in a secret', () => postgres({ PASS: 'a\0b' }), 422, /^secret\.PASS must not contain NUL/],
    [
      'NUL in an encoded secret',
      () => postgres({ 'envvar:PASS': 'AA==' }),
      422,
      /^secret\.envvar:PASS must not contain NUL/,
    ],
    [
      'plain text as base64',
      () => postgres({ 'envvar:PASS': 'pass word!' }),
      422,
      /^secret\.envvar:PASS must be the base64 of a UTF-8 text$/,
    ],
    [
      'other bytes than UTF-8',
      () => postgres({ 'envvar:PASS': '/w==' }),
      422,
      /must be the base64 of a UTF-8 text$/,
    ],
    [
      'one name in both forms',
      () => postgres({ 'envvar:HOST': 'ZGI=' }),
      422,
      /^secret\.HOST is given twice$/,
    ],
    ['no secret', () => ({ ...postgres(), secret: undefined }), 400, /^secret must be an object$/],
    ['an unknown type', () => ({ ...postgres(), type: 'spaceship' }), 422, /^type must be one of/],
    [
      'a subtype of another type',
      () => ({ ...postgres(), subtype: 'mcpproxy' }),
      422,
      /^type database has no subtype mcpproxy$/,
    ],
    [
      'an MCP server without address',
      () => ({ ...postgres(), type: 'application', subtype: 'mcpproxy', secret: {} }),
      422,
      /^secret\.REMOTE_URL is required$/,
    ],
    [
      'an MCP server at a file',
      () => ({
        ...postgres(),
        type: 'application',
        subtype: 'mcpproxy',
        secret: { REMOTE_URL: 'file:///etc/passwd' },
      }),
      422,
      /^secret\.REMOTE_URL must be an http or https address$/,
    ],
    [
      'eleven tags',
      () => ({ ...postgres(), connection_tags: tags(11) }),
      422,
      /^connection_tags must be at most 10 strings/,
    ],
    [
      'a long key of a tag',
      () => ({ ...postgres(), connection_tags: { ['k'.repeat(65)]: 'v' } }),
      422,
      /keys of up to 64/,
    ],
    [
      'a long value of a tag',
      () => ({ ...postgres(), connection_tags: { k: 'v'.repeat(257) } }),
      422,
      /values of up to 256/,
    ],
    [
      'half a character in a tag',
      () => ({ ...postgres(), connection_tags: { k: '\uD800' } }),
      422,
      /^connection_tags /,
    ],
    [
      'tags that are no map',
      () => ({ ...postgres(), connection_tags: ['a'] }),
      400,
      /^connection_tags must be an object$/,
    ],
    [
      'a switch of a third kind',
      () => ({ ...postgres(), access_mode_exec: 'maybe' }),
      422,
      /^access_mode_exec must be one of/,
    ],
    [
      'an unknown guardrail',
      () => ({ ...postgres(), guardrail_rules: [randomUUID()] }),
      422,
      /^guardrail_rules names a rule that does not exist$/,
    ],
    ['a bad name', () => ({ ...postgres(), name: 'a b' }), 422, /^name must be letters/],
    ['an unknown field', () => ({ ...postgres(), password: 'x' }), 400, /^unknown field password$/],
  ])('refuse %s, and write nothing', async (_, body, status, message) => {
    const before = await countConnections();
    const answer = await post(body());
    expect(answer.body).toEqual({ message: expect.stringMatching(message) });
    expect(answer.status).toBe(status);
    expect(await countConnections()).toEqual(before);
  });

  // promises: CONNECTION-6
  it('refuse a name twice', async () => {
    const answer = await post({ ...postgres(), name: 'orders' });
    expect(answer.status).toBe(409);
    expect(answer.body).toEqual({ message: 'a connection named orders already exists' });
  });
});
