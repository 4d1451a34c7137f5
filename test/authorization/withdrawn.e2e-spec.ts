import { eventually } from '../support/eventually';
import { beginMcpPath, startMcpPath } from '../support/mcp/mcp-path';
import type { McpPath } from '../support/mcp/mcp-path';
import { RawClient } from '../support/mcp/raw-client';
import { startMcpServer } from '../support/mcp/start-mcp-server';
import { type McpTokens, postForm, refresh, registerClient, tokensFor } from '../support/mcp-sign-in';
import { scoped } from '../support/scoped';

interface Listed {
  readonly id: string;
  readonly client_id: string;
  readonly connection: string;
}

/** A client that sends the given access token. */
const rawClient = (path: McpPath, connection: string, { access }: McpTokens): RawClient =>
  new RawClient(
    { endpoint: (name) => path.endpoint(name), gateway: { token: () => Promise.resolve(access) } },
    connection,
  );

// promises: OAUTH-13
describe(
  'what a person allowed MCP clients',
  scoped((begin) => {
    const path = beginMcpPath(begin);
    const other = begin(() => startMcpPath({}, path.gateway));
    const server = begin(() => startMcpServer('modern'));
    const list = async (person: 'alice' | 'bob' | 'admin' | 'auditor', query = ''): Promise<Listed[]> => {
      const answer = await path.gateway.call(person, 'GET', `/mcp-authorizations${query}`);
      expect([answer.text, answer.status]).toEqual([expect.any(String), 200]);
      return answer.body.data as Listed[];
    };
    const authorize = async (person: 'alice' | 'bob' = 'alice') => {
      const connection = await path.connection(server.url);
      const client = await registerClient(path.gateway);
      const tokens = await tokensFor(path.gateway, client, connection, person);
      const id = (await list(person)).find((one) => one.connection === connection)?.id ?? '';
      return { connection, client, tokens, id };
    };
    const end = (person: 'alice' | 'bob' | 'admin' | 'auditor', id: string) =>
      path.gateway.call(person, 'DELETE', `/mcp-authorizations/${id}`);
    const isTaken = async ({ connection, tokens }: { connection: string; tokens: McpTokens }) =>
      (await rawClient(path, connection, tokens).modern('tools/list')).status;

    it('is listed for that person, and for auditors and admins who name the person', async () => {
      const { connection, client, id } = await authorize();
      const mine = (await list('alice')).find((one) => one.id === id);
      expect(mine).toEqual({
        id: expect.any(String),
        client_id: client.id,
        client_name: 'Test Client',
        redirect_host: '127.0.0.1:3333',
        connection,
        user: expect.any(String),
        created_at: expect.any(String),
        expires_at: expect.any(String),
      });
      expect(await list('bob')).not.toContainEqual(mine);
      expect(await list('admin')).not.toContainEqual(mine);
      for (const person of ['admin', 'auditor'] as const)
        expect(await list(person, '?user=alice@example.com')).toContainEqual(mine);
      expect(await list('alice', '?user=alice@example.com')).toContainEqual(mine);
      expect(
        (await path.gateway.call('bob', 'GET', '/mcp-authorizations?user=alice@example.com')).status,
      ).toBe(403);
      const later = await authorize();
      expect((await list('alice')).slice(0, 2).map((one) => one.id)).toEqual([later.id, id]);
      expect((await list('alice', '?page=2&page_size=1')).map((one) => one.id)).toEqual([id]);
    });

    it.each(['alice', 'admin'] as const)(
      'is ended by %s, with its tokens, and nothing else is',
      async (person) => {
        const [ended, kept] = [await authorize(), await authorize()];
        for (const [stranger, status] of [
          ['bob', 404],
          ['auditor', 403],
        ] as const)
          expect((await end(stranger, ended.id)).status).toBe(status);
        expect(await isTaken(ended)).toBe(200);
        expect((await end(person, ended.id)).status).toBe(204);
        expect([await isTaken(ended), await isTaken(kept)]).toEqual([401, 200]);
        const renewed = await refresh(path.gateway, ended.client, ended.tokens.refresh);
        expect([renewed.status, renewed.body.error]).toEqual([400, 'invalid_grant']);
        expect((await list('alice')).map(({ id }) => id)).toContain(kept.id);
        expect((await list('alice')).map(({ id }) => id)).not.toContain(ended.id);
        expect((await end(person, ended.id)).status).toBe(404);
        const { body } = await path.gateway.call('admin', 'GET', '/audit/logs?resource_type=authorizations');
        expect(body.data).toContainEqual(
          expect.objectContaining({ resource_id: ended.id, action: 'delete', outcome: 'success' }),
        );
      },
    );

    // promises: MCP-6
    it('is also whose session it is: neither another client of that person enters it, nor the person without a client', async () => {
      const { connection, client, tokens } = await authorize();
      const another = await tokensFor(path.gateway, await registerClient(path.gateway), connection, 'alice');
      const session = await rawClient(path, connection, tokens).begin();
      const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
      const thieves = [rawClient(path, connection, another), new RawClient(path, connection, 'alice')];
      for (const thief of thieves) {
        // The thief has a valid credential, which works for a session of the thief's own.
        expect((await thief.send(ping, await thief.begin())).status).toBe(200);
        for (const [method, body] of [
          ['POST', ping],
          ['GET', undefined],
          ['DELETE', undefined],
        ] as const)
          expect((await thief.send(body, session, method)).status).toBe(404);
      }
      const renewed = await refresh(path.gateway, client, tokens.refresh);
      const owner = rawClient(path, connection, { ...tokens, access: renewed.body.access_token as string });
      expect((await owner.send(ping, session)).status).toBe(200);
    });

    it.each<[string, (of: Awaited<ReturnType<typeof authorize>>) => Promise<unknown>]>([
      ['by its person', ({ id }) => end('alice', id)],
      [
        'by the client',
        ({ client, tokens }) =>
          postForm(path.gateway, '/oauth/revoke', { token: tokens.refresh, client_id: client.id }),
      ],
      [
        'by misuse',
        async ({ client, tokens }) => {
          await refresh(path.gateway, client, tokens.refresh);
          await refresh(path.gateway, client, tokens.refresh);
        },
      ],
    ])('ends %s with the sessions of its client, at every gateway', async (_, finish) => {
      const granted = await authorize();
      const { connection, tokens } = granted;
      const streams: Promise<string>[] = [];
      for (const at of [path, other]) {
        const session = await rawClient(at, connection, tokens).begin();
        const stream = await fetch(at.endpoint(connection), {
          headers: { accept: 'text/event-stream', authorization: `Bearer ${tokens.access}`, ...session },
        });
        expect(stream.status).toBe(200);
        streams.push(stream.text());
        expect((await rawClient(at, connection, tokens).modern('tools/list')).status).toBe(200);
      }
      // The session of another client must stay: it has the same person, but another sign-in.
      const own = new RawClient(path, connection);
      const kept = await own.begin();
      const states = async () => {
        const { body } = await path.gateway.call('admin', 'GET', `/sessions?connection=${connection}`);
        return (body.data as { end_date: string | null }[]).filter((one) => one.end_date === null).length;
      };
      expect(await states()).toBe(5);
      await finish(granted);
      await Promise.all(streams);
      await eventually('the sessions', async () => (await states()) === 1);
      expect((await own.send({ jsonrpc: '2.0', id: 1, method: 'ping' }, kept)).status).toBe(200);
    });
  }),
);
