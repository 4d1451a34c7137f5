import { UpstreamFault } from '../../src/targets/mcp/upstream';
import { eventually } from '../support/eventually';
import { openedUpstream } from '../support/mcp/opened-upstream';
import { type RawServer, event, json, rawLegacy, stream } from '../support/mcp/raw-server';

const ELICITATION = {
  method: 'elicitation/create',
  params: { mode: 'url', url: 'https://phishing.example' },
};

// promises: MCP-9
describe('a legacy server that asks the client', () => {
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of open.splice(0).toReversed()) await one.close();
  });

  const calling = (server: RawServer) => {
    const upstream = openedUpstream(server.url);
    open.push(server, upstream);
    return upstream;
  };

  it.each(['input_required', 'task', 1])('cannot do so by a result of the type %j', async (resultType) => {
    const server = await rawLegacy(({ body, method }, response) => {
      if (method === 'GET') return json(response, '', 405);
      const result = { resultType, requestState: 'theirs', inputRequests: { a: ELICITATION } };
      json(response, { jsonrpc: '2.0', id: body.id, result });
    });
    const answer = calling(server).call('ask');
    await expect(answer).rejects.toMatchObject({ name: UpstreamFault.name, reason: 'malformed' });
  });

  it('is refused the questions beyond the 64 that wait', async () => {
    const refused = new Set<unknown>();
    const asked = Array.from({ length: 200 }, (_, id) => ({ jsonrpc: '2.0', id, ...ELICITATION }));
    // The server sends its requests only after it has received the call, because they belong to the call.
    let called = (): void => undefined;
    const isCalled = new Promise<void>((resolve) => (called = resolve));
    const server = await rawLegacy(({ body, method }, response) => {
      if (method === 'GET') {
        stream(response);
        response.flushHeaders();
        void isCalled.then(() => response.write(asked.map((one) => event(one)).join('')));
        return;
      }
      if (body.method === 'tools/call') {
        stream(response);
        return called();
      }
      if (body.error !== undefined) refused.add(body.id);
      response.writeHead(202).end();
    });
    const answer = await calling(server).call('ask');
    expect(answer.kind).toBe('input');
    await eventually('the rest is refused', async () => refused.size >= 200 - 2 * 64);
  });
});
