import { type AccountServer, startAccountServer } from '../support/mcp/account-server';
import { addressFor, bearerOfLastCall, connectAccount, startGuardedServer } from '../support/mcp/connecting';
import { beginMcpPath, startMcpPath } from '../support/mcp/mcp-path';
import { RawClient } from '../support/mcp/raw-client';
import { scoped } from '../support/scoped';

const CALL = { name: 'echo', arguments: { text: 'x' } };
const RESULT = [{ type: 'text', text: 'x' }];

describe(
  'an MCP server that moved to another authorization server',
  scoped((begin) => {
    const path = beginMcpPath(begin);
    const other = begin(() => startMcpPath({}, path.gateway));
    const former = begin(() => startAccountServer());
    const next = begin(() => startAccountServer());
    let named: AccountServer = former;
    const server = begin(() => startGuardedServer('modern', () => named));
    const addressIn = (message: { error?: { message: string } }) =>
      /http\S+mcp-connect\/[\w-]+/.exec(message.error?.message ?? '')?.[0] ?? '';

    beforeEach(() => void (named = former));
    afterEach(() => jest.restoreAllMocks());

    // promises: UPSTREAM-17
    it.each([
      ['right after the sign-in', 0],
      ['when a token could be renewed at the former one', 60_000],
    ])('has its people sign in there, %s', async (_, laterMs) => {
      const name = await path.connection(server.url, { secret: { MCP_AUTH: 'oauth' } });
      await connectAccount(await addressFor(path.gateway, name, 'alice'), 'alice', former);
      const client = new RawClient(path, name);
      expect((await client.modern('tools/call', CALL)).message.result.content).toEqual(RESULT);

      named = next;
      const now = Date.now.bind(Date);
      jest.spyOn(Date, 'now').mockImplementation(() => now() + laterMs);
      const [before, renewed] = [next.requests.length, former.grants.length];
      const elsewhere = new RawClient(other, name);
      const { message } = await elsewhere.modern('tools/list');
      expect([message.result, addressIn(message)]).toEqual([undefined, expect.stringContaining('http')]);
      // Unlike the other gateway, this gateway read the metadata of the MCP server before the server moved.
      await connectAccount(addressIn((await client.modern('tools/list')).message), 'alice', next);
      expect((await client.modern('tools/call', CALL)).message.result.content).toEqual(RESULT);
      expect(next.grants.at(-1)).toMatchObject({ grant_type: 'authorization_code', resource: server.url });

      // The gateways requested no token from the former authorization server, and registered at the new one.
      expect(former.grants.length).toBe(renewed);
      expect(next.requests.slice(before)).toContain('/auth');
      expect(next.requests.filter((asked) => asked === '/reg')).toHaveLength(1);
    });

    // promises: UPSTREAM-17
    it('is asked once about a token that it refuses, and only then', async () => {
      const name = await path.connection(server.url, { secret: { MCP_AUTH: 'oauth' } });
      await connectAccount(await addressFor(path.gateway, name, 'alice'), 'alice', former);
      const client = new RawClient(path, name);
      const metadata = () => former.requests.filter((asked) => asked.startsWith('/.well-known/')).length;
      expect((await client.modern('tools/call', CALL)).message.result.content).toEqual(RESULT);
      former.revoked.push(bearerOfLastCall(server) ?? '');
      const before = metadata();
      const answers = await Promise.all(
        Array.from({ length: 20 }, async () => (await client.modern('tools/call', CALL)).message),
      );
      // The refused token was just issued, so the gateway does not renew it: a new one would be refused too.
      for (const { result } of answers) expect(result?.content ?? []).not.toEqual(RESULT);
      expect(metadata() - before).toBe(1);
    });
  }),
);
