import { eventually } from '../support/eventually';
import { beginMcpPath, startMcpPath } from '../support/mcp/mcp-path';
import { type RawAnswer, RawClient } from '../support/mcp/raw-client';
import { startMcpServer } from '../support/mcp/start-mcp-server';
import { scoped } from '../support/scoped';

const OPENS = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } } };
const APPROVAL = { mcp_policy: { tools: { approval: ['ec*'] } } };
const accepted = { page: { action: 'accept' } };

/** Calls the tool as a modern client that can open addresses. */
const call = (client: RawClient, text: string, more: object = {}): Promise<RawAnswer> =>
  client.modern('tools/call', { name: 'echo', arguments: { text }, ...more }, {}, OPENS);
const textOf = ({ message }: RawAnswer): string => message.result.content[0].text;

describe(
  'a modern client that opens addresses',
  scoped((begin) => {
    const path = beginMcpPath(begin);
    const server = begin(() => startMcpServer('modern'));
    const runs = (): number => server.counts.runs.get('echo') ?? 0;
    const decide = (id: string, body: object) => path.gateway.call('admin', 'PUT', `/reviews/${id}`, body);
    const asked = async (client: RawClient, text: string) => {
      const { status, message } = await call(client, text);
      expect([status, message.result.resultType]).toEqual([200, 'input_required']);
      const { requestState, inputRequests } = message.result;
      const [, id = ''] = /\/pages\/reviews\/([0-9a-f-]{36})$/.exec(inputRequests.page.params.url) ?? [];
      return { id, requestState: requestState as string, inputRequests, inputResponses: accepted };
    };

    // promises: MCP-17
    it('is asked to open the page of the review, and its call runs once when it repeats it', async () => {
      const name = await path.connection(server.url, APPROVAL);
      const client = new RawClient(path, name);
      const before = runs();
      const { id, inputRequests, ...repeated } = await asked(client, 'delete 1');
      expect(inputRequests).toEqual({
        page: {
          method: 'elicitation/create',
          params: {
            mode: 'url',
            url: `${path.gateway.api}/pages/reviews/${id}`,
            message: expect.stringContaining('approval'),
          },
        },
      });
      expect((await path.gateway.call('admin', 'GET', `/reviews/${id}`)).body).toMatchObject({
        status: 'PENDING',
        call: { name: 'echo', arguments: '{"text":"delete 1"}' },
      });
      expect(runs()).toBe(before);
      await decide(id, { status: 'APPROVED' });
      const answers = await Promise.all(Array.from({ length: 6 }, () => call(client, 'delete 1', repeated)));
      expect(answers.filter(({ status }) => status === 200).map(textOf)).toEqual(['delete 1']);
      expect(answers.filter(({ message }) => message.error?.code === -32602)).toHaveLength(5);
      expect(runs()).toBe(before + 1);
      const events = await path.recorded(name);
      expect(events).toContainEqual(['o', expect.stringContaining(`/pages/reviews/${id}`)]);
      // The approval was used, so the next call with the same arguments needs a new review.
      expect((await asked(client, 'delete 1')).id).not.toBe(id);
    });

    it('is not asked in a circle: the page is named once, and then the review', async () => {
      const client = new RawClient(path, await path.connection(server.url, APPROVAL));
      const { id, inputRequests: _, ...repeated } = await asked(client, 'wait');
      const answer = await call(client, 'wait', repeated);
      expect(answer.message.result).toMatchObject({ isError: true, resultType: 'complete' });
      expect(textOf(answer)).toContain(`review ${id}`);
    });

    it.each(['here', 'at another gateway'])('hears a no with its reason, %s', async (where) => {
      const name = await path.connection(server.url, APPROVAL);
      const { id, inputRequests: _, ...repeated } = await asked(new RawClient(path, name), 'no');
      await decide(id, { status: 'REJECTED', rejection_reason: 'not today' });
      const before = runs();
      const other = where === 'here' ? path : await startMcpPath({}, path.gateway);
      try {
        const answer = await call(new RawClient(other, name), 'no', repeated);
        expect(textOf(answer)).toContain('rejected: not today');
        expect(runs()).toBe(before);
      } finally {
        if (other !== path) await other.close();
      }
    });

    it('gains nothing by the state of somebody else, or of another call', async () => {
      const name = await path.connection(server.url, APPROVAL);
      const client = new RawClient(path, name);
      const { id, inputRequests: _, ...repeated } = await asked(client, 'mine');
      await decide(id, { status: 'APPROVED' });
      const before = runs();
      const { requestState: state } = repeated;
      const changed = `${state.slice(0, -2)}${state.endsWith('AA') ? 'BA' : 'AA'}`;
      const others = [
        await call(new RawClient(path, name, 'bob'), 'mine', repeated),
        await call(client, 'yours', repeated),
        await client.modern('tools/call', { name: 'contents', arguments: {}, ...repeated }, {}, OPENS),
        await call(client, 'mine', { ...repeated, requestState: changed }),
      ];
      expect(others.map(({ status, message }) => [status, message.error?.code])).toEqual(
        others.map(() => [400, -32602]),
      );
      expect(runs()).toBe(before);
    });

    it('is asked by no address that it cannot open', async () => {
      const client = new RawClient(path, await path.connection(server.url, APPROVAL));
      for (const elicitation of [{}, { form: {} }]) {
        const meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation } };
        const answer = await client.modern(
          'tools/call',
          { name: 'echo', arguments: { text: 'x' } },
          {},
          meta,
        );
        expect(answer.message.result).toMatchObject({ isError: true, resultType: 'complete' });
      }
    });
  }),
);

describe(
  'a client that opens addresses while its call is held',
  scoped((begin) => {
    const path = beginMcpPath(begin, { MCP_HOLD_SECONDS: '60' });
    const server = begin(() => startMcpServer('modern'));

    // promises: MCP-17
    it.each(['modern', 'legacy'] as const)(
      'hears the answer when people have decided on the page (%s)',
      async (era) => {
        const name = await path.connection(server.url, APPROVAL);
        const before = server.counts.runs.get('echo') ?? 0;
        const pages: { url: string; elicitationId?: string }[] = [];
        const client = await path.client(era, name, {
          opens: async (page) => {
            pages.push(page);
            const id = page.url.split('/').at(-1);
            // The approval comes only after the client has reported that its user accepted.
            setTimeout(() => {
              void path.gateway.call('admin', 'PUT', `/reviews/${id}`, { status: 'APPROVED' });
            }, 200);
            return 'accept';
          },
        });
        const result = await client.call('echo', { text: era });
        expect(result.content[0].text).toBe(era);
        expect(server.counts.runs.get('echo')).toBe(before + 1);
        expect(pages.map(({ url }) => url)).toEqual([
          expect.stringContaining(`${path.gateway.api}/pages/reviews/`),
        ]);
        if (era === 'legacy')
          await eventually('the client hears that it is done', async () =>
            client.heard.some(
              ({ method, params }) =>
                method === 'notifications/elicitation/complete' &&
                (params as { elicitationId: string }).elicitationId === pages[0]?.elicitationId,
            ),
          );
        const events = await path.recorded(name);
        expect(events).toContainEqual(['o', expect.stringContaining('"elicitation/create"')]);
      },
    );

    it.each(['modern', 'legacy'] as const)(
      'is not held when its person does not open the page (%s)',
      async (era) => {
        const name = await path.connection(server.url, APPROVAL);
        const client = await path.client(era, name, { opens: async () => 'decline' });
        const result = await client.call('echo', { text: era });
        expect(result).toMatchObject({ isError: true });
        const [, id] = /review ([0-9a-f-]{36})/.exec(result.content[0].text) ?? [];
        expect((await path.gateway.call('admin', 'GET', `/reviews/${id}`)).body.status).toBe('PENDING');
      },
    );
  }),
);
