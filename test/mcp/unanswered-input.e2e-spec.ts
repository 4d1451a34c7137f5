import { eventually } from '../support/eventually';
import { denyWords } from '../support/guardrails';
import { beginMcpPath } from '../support/mcp/mcp-path';
import { RawClient } from '../support/mcp/raw-client';
import { json, rawModern } from '../support/mcp/raw-server';
import { startMcpServer } from '../support/mcp/start-mcp-server';
import { scoped } from '../support/scoped';

const POLICY = { mcp_policy: { server_requests: ['elicitation'], tools: { approval: ['ask_person'] } } };
const CALL = { name: 'ask_person', arguments: {} };
const CAPABLE = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };

/**
 * A legacy server sends its client a request during an approved call, and gets no answer. Whatever the cause,
 * the gateway must cancel the call at the server, and the approval must count as used.
 */
describe(
  'a call that waits for an input that nobody gives',
  scoped((begin) => {
    const path = beginMcpPath(begin);
    const server = begin(() => startMcpServer('legacy'));
    const cancelled = (): number =>
      server.methods().filter((method) => method === 'notifications/cancelled').length;

    const approved = async (send: () => Promise<{ message: unknown }>): Promise<string> => {
      const { message } = await send();
      const [, id = ''] = /review ([0-9a-f-]{36})/.exec(JSON.stringify(message)) ?? [];
      expect((await path.gateway.call('admin', 'PUT', `/reviews/${id}`, { status: 'APPROVED' })).status).toBe(
        200,
      );
      return id;
    };
    const ends = async (review: string, before: number): Promise<void> => {
      await eventually('the server hears it', async () => cancelled() > before);
      await eventually('the review is over', () => isExecuted(review));
    };
    const isExecuted = async (review: string): Promise<boolean> =>
      (await path.gateway.call('admin', 'GET', `/reviews/${review}`)).body.status === 'EXECUTED';

    // promises: MCP-18
    it.each(['legacy', 'modern'] as const)('of a %s client that cannot answer', async (era) => {
      // This server requests input whatever capabilities the client declares.
      const asks = await rawModern(({ body: { id, method } }, response) => {
        const result =
          method === 'tools/list'
            ? {
                tools: [{ name: 'ask_person', inputSchema: { type: 'object' } }],
                ttlMs: 0,
                cacheScope: 'private',
              }
            : {
                resultType: 'input_required',
                inputRequests: { x: { method: 'elicitation/create', params: { message: 'Which?' } } },
              };
        json(response, { jsonrpc: '2.0', id, result: { resultType: 'complete', ...result } });
      });
      try {
        const client = new RawClient(path, await path.connection(asks.url, POLICY));
        const session = era === 'legacy' ? await client.begin() : {};
        const send = () =>
          era === 'modern'
            ? client.modern('tools/call', CALL)
            : client.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: CALL }, session);
        const id = await approved(send);
        expect((await send()).message.error).toMatchObject({
          code: era === 'modern' ? -32021 : 403,
          message: expect.stringContaining('elicitation'),
        });
        await eventually('the review is over', () => isExecuted(id));
      } finally {
        await asks.close();
      }
    });

    it('of a legacy client that cancels while it is asked', async () => {
      const client = new RawClient(path, await path.connection(server.url, POLICY));
      const session = await client.begin('2025-11-25', { elicitation: {} });
      const send = (number: number) =>
        client.send({ jsonrpc: '2.0', id: number, method: 'tools/call', params: CALL }, session);
      const id = await approved(() => send(1));
      const before = cancelled();
      const call = send(2);
      await eventually('the server asks', async () =>
        (await path.recorded(await nameOf(id))).some(([, text]) => text.includes('Which environment?')),
      );
      await client.send(
        { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } },
        session,
      );
      expect((await call).messages.map(({ method }) => method as unknown)).toEqual(['elicitation/create']);
      await ends(id, before);
    });

    it('of a modern client whose answer is forbidden', async () => {
      const name = await path.connection(server.url, POLICY);
      await path.gateway.call('admin', 'POST', '/guardrails', {
        name: `answers-${name}`,
        connection_ids: [(await path.gateway.call('admin', 'GET', `/connections/${name}`)).body.id],
        input: denyWords(['smuggled']),
      });
      const client = new RawClient(path, name);
      const send = (more: object = {}) => client.modern('tools/call', { ...CALL, ...more }, {}, CAPABLE);
      const id = await approved(send);
      const before = cancelled();
      const { message } = await send();
      const [key = ''] = Object.keys(message.result.inputRequests);
      const inputResponses = { [key]: { action: 'accept', content: { environment: 'smuggled' } } };
      const answer = await send({ inputResponses, requestState: message.result.requestState });
      expect(answer.message.result.isError).toBe(true);
      await ends(id, before);
    });

    async function nameOf(review: string): Promise<string> {
      return (await path.gateway.call('admin', 'GET', `/reviews/${review}`)).body.connection.name;
    }
  }),
);
