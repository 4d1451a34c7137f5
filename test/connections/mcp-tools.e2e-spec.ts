import { TargetDirectory } from '../../src/gate/ports/target-directory';
import { type ListedTool, ToolRegistry } from '../../src/gate/ports/tool-registry';
import { readJson } from '../../src/kernel/json/json';
import { describeGateway } from '../support/describe';
import { eventually } from '../support/eventually';
import { type TestGateway, startGateway } from '../support/gateway';
import { IMPATIENT, WebhookReceiver, subscribe } from '../support/webhook-receiver';

/** Tools of MCP servers. A tool that differs from its accepted form is paused. */
describeGateway('the tools of an MCP connection', { environment: IMPATIENT }, ({ gateway }) => {
  let receiver: WebhookReceiver;
  let count = 0;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    await subscribe(gateway, receiver.url, ['mcp.tool.changed']);
  });
  afterAll(() => receiver.close());

  const server = async (newTools: 'allow' | 'hold') => {
    const { body } = await gateway.call('admin', 'POST', '/connections', {
      name: `server-${++count}`,
      type: 'application',
      subtype: 'mcpproxy',
      secret: { REMOTE_URL: 'https://mcp.example.com/mcp' },
      mcp_policy: { new_tools: newTools },
      access_groups: ['*'],
    });
    return body as { id: string; org_id: string; name: string };
  };
  const targetOf = async (connection: { id: string; org_id: string }, at: TestGateway = gateway) => {
    const target = await at.app
      .get(TargetDirectory, { strict: false })
      .known(connection.org_id, connection.id);
    if (target === undefined) throw new Error('there is no such connection');
    return target;
  };
  const tool = async (name: string, description = 'd'): Promise<ListedTool> =>
    (await readJson(
      Buffer.from(JSON.stringify({ name, description, inputSchema: { type: 'object' } })),
    )) as ListedTool;
  /** Lists these tools in a session. Returns the status of each tool. */
  const list = async (
    connection: { id: string; org_id: string },
    tools: ListedTool[],
    at: TestGateway = gateway,
  ) => {
    const registry = at.app.get(ToolRegistry, { strict: false });
    const states = await registry.listed(await targetOf(connection, at), tools);
    return Object.fromEntries([...states].map(([name, { status }]) => [name, status]));
  };
  const find = async (connection: { id: string; org_id: string }, name: string, at: TestGateway = gateway) =>
    at.app.get(ToolRegistry, { strict: false }).find(await targetOf(connection, at), name);
  const pathOf = (connection: { name: string }, name = '') =>
    `/connections/${connection.name}/mcp-tools${name === '' ? '' : `/${encodeURIComponent(name)}`}`;
  const accept = (connection: { name: string }, name: string, ifMatch?: string) =>
    gateway.call(
      'admin',
      'POST',
      `${pathOf(connection, name)}/accept`,
      undefined,
      ifMatch === undefined ? {} : { 'if-match': ifMatch },
    );
  const tagOf = async (connection: { name: string }, name: string) =>
    (await gateway.call('auditor', 'GET', pathOf(connection, name))).headers.get('etag') ?? '';
  /** Waits until the webhook received `count` messages about the connection, and returns them. */
  const told = (connection: { id: string }, count: number) =>
    eventually('the webhook is told', async () => {
      const all = receiver.received.map(
        ({ body }) => body as { data: { connection: object; tools: object[] } },
      );
      const own = all.filter(({ data }) => (data.connection as { id: string }).id === connection.id);
      return own.length >= count && own;
    });

  // promises: TOOL-5, TOOL-7
  it('are paused while they differ from what was accepted, until an admin accepts exactly that', async () => {
    const connection = await server('allow');
    expect(await list(connection, [await tool('send'), await tool('read')])).toEqual({
      send: 'accepted',
      read: 'accepted',
    });
    expect(await list(connection, [await tool('send', 'and a copy to me')])).toEqual({ send: 'changed' });
    expect(await find(connection, 'send')).toMatchObject({ status: 'changed' });
    expect(await find(connection, 'read')).toMatchObject({ status: 'accepted' });
    expect(await find(connection, 'never-listed')).toBeUndefined();

    const { body: page } = await gateway.call('auditor', 'GET', pathOf(connection));
    expect(page.pages.total).toBe(2);
    expect(page.data[0]).toMatchObject({
      name: 'send',
      status: 'changed',
      differences: [{ path: '/description', before: 'd', after: 'and a copy to me' }],
      accepted_by: null,
      warnings: [],
    });
    expect(page.data[1]).toMatchObject({ name: 'read', status: 'accepted', differences: [] });
    const seen = await tagOf(connection, 'send');
    expect(seen).toBe(`"${page.data[0].fingerprint}"`);

    // The tool changes once more after the admin read it.
    await list(connection, [await tool('send', 'and a copy to them')]);
    for (const tag of [seen, undefined, '*', '"1"'])
      expect([tag, (await accept(connection, 'send', tag)).status]).toEqual([tag, 412]);
    expect(await find(connection, 'send')).toMatchObject({ status: 'changed' });

    const fresh = await tagOf(connection, 'send');
    const accepted = await accept(connection, 'send', fresh);
    expect([accepted.status, accepted.headers.get('etag')]).toEqual([200, fresh]);
    expect(accepted.body).toMatchObject({
      status: 'accepted',
      differences: [],
      accepted_by: 'admin@example.com',
    });
    expect(await find(connection, 'send')).toMatchObject({ status: 'accepted' });
    // The tool now differs from the form that the admin accepted.
    expect(await list(connection, [await tool('send')])).toEqual({ send: 'changed' });
  });

  // promises: TOOL-5
  it('are not forgotten while they are gone', async () => {
    const connection = await server('allow');
    await list(connection, [await tool('send'), await tool('read')]);
    await list(connection, [await tool('read')]);
    expect(await list(connection, [await tool('send', 'another one')])).toEqual({ send: 'changed' });
    expect(await list(connection, [await tool('send')])).toEqual({ send: 'accepted' });
  });

  // promises: TOOL-5
  it('are held while the policy says so, and a new name is a new tool', async () => {
    const connection = await server('hold');
    expect(await list(connection, [await tool('send')])).toEqual({ send: 'held' });
    const { body: held } = await gateway.call('auditor', 'GET', pathOf(connection, 'send'));
    expect(held).toMatchObject({ status: 'held', accepted_fingerprint: null, accepted_at: null });
    expect(
      held.differences.map(({ path, before }: { path: string; before: null }) => [path, before]),
    ).toEqual([
      ['/description', null],
      ['/inputSchema', null],
      ['/name', null],
    ]);
    await accept(connection, 'send', await tagOf(connection, 'send'));
    expect(await list(connection, [await tool('send'), await tool('send2')])).toEqual({
      send: 'accepted',
      send2: 'held',
    });
    await gateway.call('admin', 'PATCH', `/connections/${connection.name}`, {
      mcp_policy: { new_tools: 'allow' },
    });
    // Held tools stay held.
    expect(await list(connection, [await tool('send2'), await tool('send3')])).toEqual({
      send2: 'held',
      send3: 'accepted',
    });
  });

  // promises: TOOL-8
  it('are told of to webhooks: each change once, also one that comes and goes', async () => {
    const connection = await server('allow');
    await list(connection, [await tool('send'), await tool('read')]);
    await list(connection, [await tool('send', 'x'), await tool('read'), await tool('new')]);
    for (const description of ['d', 'x', 'd', 'x']) await list(connection, [await tool('send', description)]);
    await list(connection, [await tool('last')]);
    expect(await told(connection, 2)).toEqual([
      {
        type: 'mcp.tool.changed',
        timestamp: expect.any(String),
        data: {
          connection: { id: connection.id, name: connection.name, subtype: 'mcpproxy' },
          count: 2,
          tools: [
            { name: 'send', status: 'changed', fingerprint: expect.stringMatching(/^[\da-f]{64}$/) },
            { name: 'new', status: 'accepted', fingerprint: expect.any(String) },
          ],
          links: { connection: `${gateway.api}/connections/${connection.name}` },
        },
      },
      expect.objectContaining({ data: expect.objectContaining({ count: 1 }) }),
    ]);
  });

  // promises: TOOL-8
  it('are one row and one message when several gateways list them at once', async () => {
    const connection = await server('hold');
    const other = await startGateway({ beside: gateway, environment: IMPATIENT });
    const tools = await Promise.all(Array.from({ length: 40 }, (_, index) => tool(`tool-${index}`)));
    const lists = Array.from({ length: 8 }, (_, index) =>
      list(connection, tools, index % 2 ? other : gateway),
    );
    for (const states of await Promise.all(lists))
      expect(Object.values(states)).toEqual(Array.from({ length: 40 }, () => 'held'));
    const changed = await Promise.all(tools.map((_, index) => tool(`tool-${index}`, 'x')));
    await Promise.all(
      Array.from({ length: 8 }, (_, index) => list(connection, changed, index % 2 ? other : gateway)),
    );
    const [rows] = await gateway.database.query<{ count: number }>(
      'SELECT count(*)::int FROM mcp_tools WHERE connection_id = $1',
      [connection.id],
    );
    expect(rows?.count).toBe(40);
    const events = await gateway.database.query(
      `SELECT data -> 'count' AS count FROM outbox WHERE type = 'mcp.tool.changed' AND subject = $1 ORDER BY position`,
      [connection.id],
    );
    expect(events).toEqual([{ count: 40 }, { count: 40 }]);
    const [first] = await told(connection, 1);
    expect(first?.data.tools).toHaveLength(20);

    // The other gateway has the tools in memory. It must notice that this gateway accepts one of them.
    await find(connection, 'tool-7', other);
    await accept(connection, 'tool-7', await tagOf(connection, 'tool-7'));
    await eventually(
      'the other gateway knows',
      async () => (await find(connection, 'tool-7', other))?.status === 'accepted',
    );
    await other.close();
    const restarted = await startGateway({ beside: gateway, environment: IMPATIENT });
    expect(await list(connection, changed.slice(6, 9), restarted)).toEqual({
      'tool-6': 'held',
      'tool-7': 'accepted',
      'tool-8': 'held',
    });
    await restarted.close();
  });

  // promises: TOOL-6
  it.each([
    'a/b',
    '../../users',
    '..',
    '%2e%2e',
    'a?b#c',
    'accept',
    'a b',
    "'; DROP TABLE mcp_tools; --",
    '__proto__',
    '<script>alert(1)</script>',
    'x'.repeat(256),
    '😀'.repeat(128),
    'a\u202Eb',
    'cafe\u0301',
    'line\nbreak',
  ])('may have any name, and are found by exactly that: %j', async (name) => {
    const connection = await server('hold');
    expect(Object.keys(await list(connection, [await tool(name), await tool('other')])).sort()).toEqual(
      [name, 'other'].sort(),
    );
    // `..` in a path means the parent folder, even if encoded, so the test uses the tool's id instead.
    const { body: page } = await gateway.call('auditor', 'GET', pathOf(connection));
    const { id } = page.data.find((one: { name: string }) => one.name === name);
    const place = name === '..' ? id : name;
    expect((await gateway.call('auditor', 'GET', pathOf(connection, place))).body).toMatchObject({
      id,
      name,
    });
    const tag = await tagOf(connection, place);
    expect((await accept(connection, place, tag)).body).toMatchObject({ name, status: 'accepted' });
    expect(await find(connection, name)).toMatchObject({ status: 'accepted' });
    expect(await find(connection, 'other')).toMatchObject({ status: 'held' });
  });

  // promises: TOOL-6
  it('warn of names that look like another, and take them for two', async () => {
    const connection = await server('hold');
    const names = ['delete', 'delet\u0435', 'delete\u200B', 'DELETE', 'plain'];
    await list(connection, await Promise.all(names.map((name) => tool(name))));
    await accept(connection, 'delete', await tagOf(connection, 'delete'));
    expect(await find(connection, 'delete\u200B')).toMatchObject({ status: 'held' });
    const { body } = await gateway.call('auditor', 'GET', pathOf(connection));
    const warnings = Object.fromEntries(
      (body.data as { name: string; warnings: string[] }[]).map((one) => [one.name, one.warnings.length]),
    );
    expect(warnings).toEqual({ delete: 1, 'delet\u0435': 1, 'delete\u200B': 2, DELETE: 1, plain: 0 });
  });

  // promises: TOOL-6
  it('are bounded: a thousand names for a connection', async () => {
    const connection = await server('allow');
    const first = await Promise.all(Array.from({ length: 999 }, (_, index) => tool(`tool-${index}`)));
    expect(Object.keys(await list(connection, first))).toHaveLength(999);
    const more = await Promise.all(['one', 'two', 'three'].map((name) => tool(name)));
    expect(await list(connection, more)).toEqual({ one: 'accepted' });
    expect(await list(connection, [await tool('four'), await tool('tool-5', 'x')])).toEqual({
      'tool-5': 'changed',
    });
    const { body } = await gateway.call('auditor', 'GET', `${pathOf(connection)}?page=2&page_size=600`);
    expect([body.data.length, body.pages.total]).toEqual([400, 1000]);
  });

  // promises: TOOL-7
  it('are shown to auditors and accepted by admins, with a line on the audit log', async () => {
    const connection = await server('hold');
    await list(connection, [await tool('send', `x${'y'.repeat(5_000)}`)]);
    const tag = await tagOf(connection, 'send');
    const answers = await Promise.all([
      gateway.call('alice', 'GET', pathOf(connection)),
      gateway.call('alice', 'GET', pathOf(connection, 'send')),
      gateway.call('auditor', 'POST', `${pathOf(connection, 'send')}/accept`, undefined, { 'if-match': tag }),
      gateway.call('auditor', 'GET', pathOf({ name: 'of-nobody' })),
      gateway.call('auditor', 'GET', pathOf(connection, 'of-nobody')),
      gateway.call('admin', 'POST', `${pathOf(connection, 'of-nobody')}/accept`, undefined, {
        'if-match': tag,
      }),
      gateway.call('auditor', 'GET', pathOf(connection, 'x'.repeat(257))),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 404, 404, 404, 400]);
    const { body: page } = await gateway.call('auditor', 'GET', pathOf(connection));
    expect(page.data[0].differences[0].after).toHaveLength(1_001);
    const { body: whole } = await gateway.call('auditor', 'GET', pathOf(connection, 'send'));
    expect(whole.differences[0].after).toHaveLength(5_001);
    await accept(connection, 'send', tag);
    const { body: lines } = await gateway.call(
      'admin',
      'GET',
      '/audit/logs?resource_type=mcp-tools&action=update',
    );
    expect(lines.data).toContainEqual(
      expect.objectContaining({
        action: 'update',
        resource_id: page.data[0].id,
        changes: [{ field: 'accepted_fingerprint', before: null, after: page.data[0].fingerprint }],
      }),
    );
    await gateway.call('admin', 'DELETE', `/connections/${connection.name}`);
    expect(
      await gateway.database.query('SELECT FROM mcp_tools WHERE connection_id = $1', [connection.id]),
    ).toEqual([]);
  });
});
