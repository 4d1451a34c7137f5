import { beginMcpPath, startMcpPath } from '../support/mcp/mcp-path';
import { type RawAnswer, RawClient } from '../support/mcp/raw-client';
import { startMcpServer } from '../support/mcp/start-mcp-server';
import { scoped } from '../support/scoped';
import { changedAt } from '../support/changed-letter';

const CAPABLE = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {}, sampling: {} } };
const POLICY = { mcp_policy: { server_requests: ['elicitation', 'sampling'] } };
const RESPONSES = { environment: { action: 'accept', content: { environment: 'test' } } };

// promises: MCP-10
describe.each(['modern', 'legacy'] as const)('a request state over a server that is %s', (kind) =>
  describe(
    'is sealed',
    scoped((begin) => {
      const path = beginMcpPath(begin);
      const server = begin(() => startMcpServer(kind));
      const at = begin(
        async () => ({ name: await path.connection(server.url, POLICY) }),
        () => undefined,
      );

      const ask = (client: RawClient, tool = 'ask_person', more: object = {}): Promise<RawAnswer> =>
        client.modern('tools/call', { name: tool, arguments: {}, ...more }, {}, CAPABLE);
      const asked = async (client: RawClient): Promise<{ key: string; requestState: string }> => {
        const { message } = await ask(client);
        expect(message.result.resultType).toBe('input_required');
        const [[key, request] = ['', undefined]] = Object.entries(message.result.inputRequests);
        expect(request).toMatchObject({
          method: 'elicitation/create',
          params: { message: 'Which environment?' },
        });
        return { key, requestState: message.result.requestState as string };
      };
      const answersOf = (key: string): object => ({ [key]: RESPONSES.environment });
      const isRefused = ({ status, message }: RawAnswer): void =>
        expect([status, message.error?.code]).toEqual([400, -32602]);

      it('and continues its call, once', async () => {
        const client = new RawClient(path, at.name);
        const { key, requestState } = await asked(client);
        const repeated = { inputResponses: answersOf(key), requestState };
        const { message } = await ask(client, 'ask_person', repeated);
        expect(message.result.content[0].text).toContain('test');
        isRefused(await ask(client, 'ask_person', repeated));
      });

      it('and used once, also if it is sent many times at once', async () => {
        const client = new RawClient(path, at.name);
        const { key, requestState } = await asked(client);
        const answers = await Promise.all(
          Array.from({ length: 8 }, () =>
            ask(client, 'ask_person', { inputResponses: answersOf(key), requestState }),
          ),
        );
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      });

      it('and refused for any other person, connection, method and parameters', async () => {
        const client = new RawClient(path, at.name);
        const other = await path.connection(server.url, POLICY);
        const { key, requestState } = await asked(client);
        const repeated = { inputResponses: answersOf(key), requestState };
        isRefused(await ask(new RawClient(path, at.name, 'bob'), 'ask_person', repeated));
        isRefused(await ask(new RawClient(path, at.name, 'admin'), 'ask_person', repeated));
        isRefused(await ask(new RawClient(path, other), 'ask_person', repeated));
        isRefused(await ask(client, 'ask_model', repeated));
        isRefused(await ask(client, 'ask_person', { ...repeated, arguments: { more: 1 } }));
        isRefused(await client.modern('resources/read', { uri: 'test://text', ...repeated }, {}, CAPABLE));
        isRefused(await client.modern('tools/list', { cursor: requestState }));
        for (let at = 0; at < requestState.length; at += 17) {
          const forged = { ...repeated, requestState: changedAt(requestState, at) };
          isRefused(await ask(client, 'ask_person', forged));
        }
        // The refused requests have not used up the request state, so it is still good for one request.
        expect((await ask(client, 'ask_person', repeated)).status).toBe(200);
      });

      it('and refused between a person and an API key that the person made', async () => {
        const { body: made } = await path.gateway.call('admin', 'POST', '/api-keys', {
          name: `states-${kind}`,
          groups: ['admin'],
        });
        const byKey = { ...path, gateway: { token: async () => made.key as string } };
        const machine = new RawClient(byKey, at.name);
        const person = new RawClient(path, at.name, 'admin');
        for (const [owner, stranger] of [
          [person, machine],
          [machine, person],
        ] as const) {
          const { key, requestState } = await asked(owner);
          const repeated = { inputResponses: answersOf(key), requestState };
          isRefused(await ask(stranger, 'ask_person', repeated));
          expect((await ask(owner, 'ask_person', repeated)).status).toBe(200);
        }
      });

      // Specification 2026-07-28, "Multi Round-Trip Requests": a server SHOULD ignore input that it does not
      // need, and ask for input that is missing.
      // promises: MCP-10
      it('and without it, what a client answers is not passed on: it is asked again', async () => {
        const client = new RawClient(path, at.name);
        const { key } = await asked(client);
        const { status, message } = await ask(client, 'ask_person', { inputResponses: answersOf(key) });
        expect([status, message.result.resultType]).toEqual([200, 'input_required']);
        const before = server.heard.length;
        const unasked = { text: 'heard', canary: 'never-passed-on' };
        const { message: echoed } = await client.call(
          'echo',
          { text: 'heard' },
          { inputResponses: { unasked } },
        );
        expect(echoed.result.content[0].text).toBe('heard');
        expect(
          server.heard
            .slice(before)
            .map(({ text }) => text)
            .join(),
        ).not.toContain('never-passed-on');
      });

      it('and a client that cannot answer is told so', async () => {
        const { status, message } = await new RawClient(path, at.name).call('ask_person');
        expect(status).toBeLessThan(500);
        expect(JSON.stringify(message)).toMatch(/elicitation|not support/i);
      });

      if (kind === 'modern')
        it('and valid at another gateway', async () => {
          const { key, requestState } = await asked(new RawClient(path, at.name));
          const other = await startMcpPath({}, path.gateway);
          try {
            const { message } = await ask(new RawClient(other, at.name), 'ask_person', {
              inputResponses: answersOf(key),
              requestState,
            });
            expect(message.result.content[0].text).toContain('test');
          } finally {
            await other.close();
          }
        });
    }),
  ),
);
