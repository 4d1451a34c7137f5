import { connectClient } from '../../../test/support/mcp/clients';
import { type DemoMcpServer, startDemoMcpServer } from './demo-server';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

describe('the MCP server of the demo', () => {
  let server: DemoMcpServer;

  beforeEach(async () => {
    server = await startDemoMcpServer();
  });
  afterEach(() => server.close());

  const send = async (body: unknown, headers: Record<string, string> = {}, method = 'POST') => {
    const response = await fetch(server.url, {
      method,
      headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json', ...headers },
      ...(method === 'POST' && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, message: text === '' ? undefined : JSON.parse(text) };
  };
  const request = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params });

  it.each(['modern', 'legacy'] as const)('serves clients that are %s', async (era) => {
    const client = await connectClient(era, server.url, { token: server.key });
    expect(client.server()).toMatchObject({ info: { name: 'demo-customers' } });
    const tools = await client.ask('tools');
    expect(tools.map(({ name, annotations }) => [name, annotations.readOnlyHint])).toEqual([
      ['list_customers', true],
      ['search_customers', true],
      ['delete_customer', false],
    ]);
    const found = await client.call('search_customers', { text: 'GRACE' });
    expect(found.structuredContent.customers).toEqual([
      { id: 1, name: 'Grace Hopper', email: 'grace@example.com', orders: 12 },
    ]);
    expect(JSON.parse(found.content[0].text)).toEqual(found.structuredContent);
    expect((await client.call('delete_customer', { id: 1 })).structuredContent.deleted.id).toBe(1);
    expect(await client.call('delete_customer', { id: 1 })).toMatchObject({ isError: true });
    expect(await client.call('delete_customer', { id: 'all' })).toMatchObject({ isError: true });
    expect((await client.call('list_customers')).structuredContent.customers).toHaveLength(3);
    const [{ uri }] = await client.ask('resources');
    const log: string = (await client.read(uri)).contents[0].text;
    expect(log.match(/deleted/g)).toHaveLength(1);
    const [{ name }] = await client.ask('prompts');
    expect((await client.prompt(name, { orders: '3' })).messages[0].content.text).toContain(
      'at most 3 orders',
    );
    await expect(client.call('drop_customers')).rejects.toThrow('Unknown tool');
    await expect(client.read('demo://other')).rejects.toThrow('Resource not found');
    await expect(client.prompt('other', {})).rejects.toThrow('Unknown prompt');
    await client.close();
  });

  it('is closed to everybody but the gateway', async () => {
    const call = request('tools/list', {});
    for (const authorization of ['', 'Bearer', `Bearer ${server.key}x`, `bearer ${server.key.slice(1)}`])
      expect((await send(call, { authorization })).status).toBe(401);
    expect((await send(call)).status).toBe(200);
    const again = await startDemoMcpServer();
    await again.close();
    expect(again.key).not.toBe(server.key);
  });

  it('refuses malformed messages, and headers that disagree with the body', async () => {
    expect(await send('{')).toMatchObject({ status: 400, message: { error: { code: -32700 } } });
    expect(await send('[]')).toMatchObject({ status: 400, message: { error: { code: -32600 } } });
    expect((await send(`"${'x'.repeat(1024 * 1024)}"`)).status).toBe(413);
    expect((await send('', {}, 'GET')).status).toBe(405);
    expect(await send({ jsonrpc: '2.0', method: 'notifications/initialized' })).toEqual({ status: 202 });
    const modern = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'list_customers',
    };
    const call = request('tools/call', { name: 'list_customers', _meta: META });
    expect((await send(call, modern)).message.result).toMatchObject({ resultType: 'complete' });
    for (const [name, value] of [
      ['mcp-protocol-version', '2025-11-25'],
      ['mcp-method', 'tools/list'],
      ['mcp-name', 'delete_customer'],
      ['mcp-name', '=?base64?%?='],
    ] as const)
      expect(await send(call, { ...modern, [name]: value })).toMatchObject({
        status: 400,
        message: { id: 1, error: { code: -32020 } },
      });
    const later = { ...META, 'io.modelcontextprotocol/protocolVersion': '2030-01-01' };
    expect(
      await send(request('tools/list', { _meta: later }), {
        ...modern,
        'mcp-protocol-version': '2030-01-01',
      }),
    ).toMatchObject({
      status: 400,
      message: { error: { code: -32022, data: { supported: ['2026-07-28', '2025-11-25'] } } },
    });
    const unknown = { ...modern, 'mcp-method': 'tasks/list' };
    expect(await send(request('tasks/list', { _meta: META }), unknown)).toMatchObject({
      status: 404,
      message: { error: { code: -32601 } },
    });
  });
});
