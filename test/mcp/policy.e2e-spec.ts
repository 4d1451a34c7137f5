import { eventually } from '../support/eventually';
import { beginMcpPath } from '../support/mcp/mcp-path';
import { RawClient } from '../support/mcp/raw-client';
import { startMcpServer } from '../support/mcp/start-mcp-server';
import { scoped } from '../support/scoped';

describe(
  'what the policy of an MCP connection does not allow',
  scoped((begin) => {
    const path = beginMcpPath(begin);
    const server = begin(() => startMcpServer('legacy'));
    const at = async (mcp_policy: object) =>
      new RawClient(path, await path.connection(server.url, { mcp_policy }));

    // promises: MCP-8
    it('is not listed, and is answered like what the server does not have', async () => {
      const client = await at({
        tools: { allowed: ['e*', 'structured'], denied: ['*o'] },
        resources: { denied: ['*blob*'] },
        prompts: { allowed: ['greet'] },
      });
      const tools = (await client.modern('tools/list')).message.result.tools;
      expect(tools.map(({ name }: { name: string }) => name)).toEqual(['structured']);
      const resources = (await client.modern('resources/list')).message.result.resources;
      expect(resources.map(({ uri }: { uri: string }) => uri)).not.toContain('test://blob');
      const prompts = (await client.modern('prompts/list')).message.result.prompts;
      expect(prompts.map(({ name }: { name: string }) => name)).toEqual(['greet']);

      const before = server.heard.length;
      const like = async (
        hidden: Promise<{ text: string }>,
        absent: Promise<{ text: string }>,
        names: [string, string],
      ) =>
        expect((await hidden).text.replaceAll(names[0], '…')).toBe(
          (await absent).text.replaceAll(names[1], '…'),
        );
      await like(client.call('echo'), client.call('nothing'), ['echo', 'nothing']);
      await like(
        client.modern('prompts/get', { name: 'grüße', arguments: {} }),
        client.modern('prompts/get', { name: 'keine', arguments: {} }),
        ['grüße', 'keine'],
      );
      expect(server.methods().slice(before)).not.toContain('tools/call');
      const blob = await client.modern('resources/read', { uri: 'test://blob' });
      expect([blob.status, blob.message.error]).toEqual([
        200,
        { code: -32602, message: 'Resource not found', data: { uri: 'test://blob' } },
      ]);
      expect(server.methods().slice(before)).not.toContain('resources/read');
    });

    // promises: MCP-8
    it('is recorded when it is tried', async () => {
      const name = await path.connection(server.url, { mcp_policy: { tools: { denied: ['echo'] } } });
      await new RawClient(path, name).call('echo', { text: 'tried' });
      const events = await path.recorded(name);
      expect(events).toContainEqual(['i', expect.stringContaining('"text":"tried"')]);
      expect(events).toContainEqual(['e', expect.stringContaining('Unknown tool: echo')]);
    });

    // promises: MCP-9
    it.each(['modern', 'legacy'] as const)('holds for requests of the server to a %s client', async (era) => {
      const answers = { elicitation: { action: 'accept', content: { environment: 'test' } } };
      const closed = await path.client(era, await path.connection(server.url), { answers });
      const refused = await closed.call('ask_person').catch((error: Error) => ({ thrown: error.message }));
      expect(closed.asked).toEqual([]);
      expect(JSON.stringify(refused)).toMatch(/elicitation|not support/);
      const open = await path.client(
        era,
        await path.connection(server.url, { mcp_policy: { server_requests: ['elicitation'] } }),
        { answers },
      );
      expect((await open.call('ask_person')).content[0].text).toContain('test');
      expect(open.asked).toEqual(['elicitation/create']);
    });

    // promises: MCP-8
    it('ends at once with a changed policy, in visits that are open', async () => {
      const name = await path.connection(server.url);
      const client = new RawClient(path, name);
      expect((await client.call('echo', { text: 'a' })).message.result.content[0].text).toBe('a');
      const changed = await path.gateway.call('admin', 'PATCH', `/connections/${name}`, {
        mcp_policy: { tools: { denied: ['echo'] } },
      });
      expect(changed.status).toBe(200);
      await eventually('the tool is gone', async () => {
        const { message } = await client.call('echo', { text: 'b' });
        return message.error?.code === -32602;
      });
    });

    it('a result that is larger than allowed is refused in words', async () => {
      const client = await at({ result_bytes: 2_000 });
      const { status, message } = await client.call('large', { bytes: 10_000, size: 10_000 });
      expect([status, message.result.isError]).toEqual([200, true]);
      expect(message.result.content[0].text).toMatch(/bytes/);
    });
  }),
);
