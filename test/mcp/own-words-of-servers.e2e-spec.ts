import type { Json } from '../../src/kernel/json/json';
import { denyWords, createRule } from '../support/guardrails';
import { beginMcpPath } from '../support/mcp/mcp-path';
import { RawClient } from '../support/mcp/raw-client';
import { event, json, rawModern, stream } from '../support/mcp/raw-server';
import { scoped } from '../support/scoped';

const TOOL = { name: 'echo', description: 'd', inputSchema: { type: 'object' } };
const tools = (id: unknown, listed: unknown = [TOOL]) => ({
  jsonrpc: '2.0',
  id,
  result: { resultType: 'complete', tools: listed },
});

describe(
  'what servers list and send in words of their own',
  scoped((begin) => {
    const path = beginMcpPath(begin);

    it('methods of unknown notifications are screened', async () => {
      const attributes = ['own-words'];
      await createRule(path.gateway, { name: 'own-words', attributes, output: denyWords(['forbidden']) });
      const server = await rawModern(({ body }, response) => {
        if (body?.method === 'tools/list') return json(response, tools(body.id));
        stream(response);
        response.write(event({ jsonrpc: '2.0', method: 'notifications/forbidden', params: {} }));
        response.write(event({ jsonrpc: '2.0', method: 'notifications/allowed', params: {} }));
        response.end(
          event({ jsonrpc: '2.0', id: body?.id, result: { resultType: 'complete', content: [] } }),
        );
      });
      const answer = await new RawClient(path, await path.connection(server.url, { attributes })).call(
        'echo',
      );
      await server.close();
      expect(answer.text).not.toContain('forbidden');
      expect(answer.text).toContain('notifications/allowed');
    });

    it('a list that failed is told, and is no list without tools', async () => {
      const server = await rawModern(({ body }, response) =>
        json(response, { jsonrpc: '2.0', id: body?.id, error: { code: -32000, message: 'canary' } }),
      );
      const { text } = await new RawClient(path, await path.connection(server.url)).call('echo');
      await server.close();
      expect(text).toContain('did not list its tools');
      expect(text).not.toMatch(/canary|Unknown tool/);
    });

    it('a server without tools has none', async () => {
      const server = await rawModern(({ body }, response) =>
        json(response, { jsonrpc: '2.0', id: body?.id, error: { code: -32601, message: 'no' } }, 404),
      );
      const { text } = await new RawClient(path, await path.connection(server.url)).call('echo');
      await server.close();
      expect(text).toContain('Unknown tool: echo');
    });

    // If each tool were compared with every other tool, this would take longer than a test may.
    it('serves a list of 100 000 tools, in two pages, up to what the registry keeps', async () => {
      const page = (from: number) =>
        Array.from({ length: 50_000 }, (_, at) => ({ name: `tool-${from + at}` }));
      const server = await rawModern(({ body }, response) => {
        const { cursor } = (body?.params ?? {}) as { cursor?: Json };
        const { result, ...rest } = tools(body?.id, page(cursor === undefined ? 0 : 50_000));
        json(response, { ...rest, result: cursor === undefined ? { ...result, nextCursor: 'two' } : result });
      });
      const client = new RawClient(path, await path.connection(server.url));
      const listed = await client.modern('tools/list');
      const called = await client.call('tool-99999');
      await server.close();
      expect(listed.status).toBe(200);
      expect(listed.message.result.tools).toHaveLength(1_000);
      expect(called.text).toContain('Unknown tool');
    });

    it('asks for the list of an unknown tool once, for calls that follow each other', async () => {
      const server = await rawModern(({ body }, response) => json(response, tools(body?.id)));
      const client = new RawClient(path, await path.connection(server.url));
      for (let at = 0; at < 5; at += 1) await client.call(`unknown-${at}`);
      const lists = server.heard.filter(({ body }) => body?.method === 'tools/list');
      await server.close();
      expect(lists.length).toBeLessThan(5);
    });

    it('a subscription that the server refuses takes no place', async () => {
      const server = await rawModern(({ body }, response) => {
        if (body?.method === 'tools/list') return json(response, tools(body.id));
        json(response, { jsonrpc: '2.0', id: body?.id, error: { code: -32000, message: 'no' } });
      });
      const policy = { mcp_policy: { streams: 2 } };
      const client = new RawClient(path, await path.connection(server.url, policy));
      const wanted = { notifications: { toolsListChanged: true } };
      const answers = new Set<string>();
      for (let at = 0; at < 4; at += 1)
        answers.add((await client.modern('subscriptions/listen', wanted)).text.replaceAll(/"id":\d+/g, ''));
      await server.close();
      expect([...answers]).toHaveLength(1);
    });

    it.each(['legacy', 'modern'])(
      'a name that is cut within a character keeps no %s client out',
      async (era) => {
        const server = await rawModern(({ body }, response) => json(response, tools(body?.id)));
        const client = new RawClient(path, await path.connection(server.url));
        const clientInfo = { name: `${'x'.repeat(63)}😀`, version: `${'y'.repeat(63)}😀` };
        const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
        const answer =
          era === 'legacy'
            ? await client.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params })
            : await client.modern('tools/list', {}, {}, { 'io.modelcontextprotocol/clientInfo': clientInfo });
        await server.close();
        expect(answer.status).toBe(200);
      },
    );
  }),
);
