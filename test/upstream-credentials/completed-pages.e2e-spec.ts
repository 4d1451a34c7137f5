import { eventually } from '../support/eventually';
import type { Person } from '../support/gateway';
import { startAccountServer } from '../support/mcp/account-server';
import { addressFor, connectAccount, startGuardedServer } from '../support/mcp/connecting';
import { type McpPath, beginMcpPath, startMcpPath } from '../support/mcp/mcp-path';
import { RawClient } from '../support/mcp/raw-client';
import { scoped } from '../support/scoped';

const URLS = { elicitation: { url: {} } };
const CALL = { name: 'echo', arguments: { text: 'x' } };
const COMPLETE = 'notifications/elicitation/complete';

/** A legacy client with its stream of notifications. */
interface Listener {
  readonly session: Record<string, string>;
  /** The text of the stream so far. */
  readonly heard: () => string;
  readonly call: () => Promise<{ result?: unknown; error?: { code: number; data: unknown } }>;
}

// promises: UPSTREAM-18
describe(
  'a legacy client that was asked to open the page of a sign-in',
  scoped((begin) => {
    const path = beginMcpPath(begin);
    const other = begin(() => startMcpPath({}, path.gateway));
    const accounts = begin(() => startAccountServer());
    const server = begin(() => startGuardedServer('modern', accounts));
    const leaving = new AbortController();
    afterAll(() => leaving.abort());

    const listener = async (
      at: McpPath,
      connection: string,
      person: Person = 'alice',
      revision = '2025-11-25',
    ): Promise<Listener> => {
      const client = new RawClient(at, connection, person);
      const session = await client.begin(revision, URLS);
      const stream = await fetch(at.endpoint(connection), {
        headers: {
          accept: 'text/event-stream',
          authorization: `Bearer ${await at.gateway.token(person)}`,
          ...session,
        },
        signal: leaving.signal,
      });
      expect(stream.status).toBe(200);
      let text = '';
      void (async () => {
        for await (const piece of stream.body ?? []) text += Buffer.from(piece as Uint8Array).toString();
      })().catch(() => undefined);
      const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: CALL };
      return { session, heard: () => text, call: async () => (await client.send(call, session)).message };
    };
    const idIn = ({ error }: Awaited<ReturnType<Listener['call']>>): string => {
      const data = error?.data as { elicitations: { elicitationId: string }[] } | undefined;
      return data?.elicitations[0]?.elicitationId ?? '';
    };

    it('hears when that is done, at whichever gateway, and nobody else does', async () => {
      const name = await path.connection(server.url, { secret: { MCP_AUTH: 'oauth' } });
      const here = await listener(path, name);
      const there = await listener(other, name);
      const notAsked = await listener(path, name);
      const inWords = await listener(path, name, 'alice', '2025-06-18');
      const bob = await listener(path, name, 'bob');
      const id = idIn(await here.call());
      expect(idIn(await there.call())).toBe(id);
      expect((await inWords.call()).error).toBeUndefined();
      expect(idIn(await bob.call())).not.toBe(id);

      const address = await addressFor(path.gateway, name, 'alice');
      expect(address).toContain(id);
      expect(here.heard() + there.heard()).not.toContain(COMPLETE);
      await connectAccount(address, 'alice', accounts);

      const message = { jsonrpc: '2.0', method: COMPLETE, params: { elicitationId: id } };
      for (const { heard } of [here, there])
        await eventually('the notification', async () =>
          heard().includes(`data: ${JSON.stringify(message)}\n`),
        );
      // The calls now succeed. The other clients received no notification.
      for (const { call } of [here, there])
        expect((await call()).result).toMatchObject({ content: [{ type: 'text', text: 'x' }] });
      for (const { heard } of [notAsked, inWords, bob]) expect(heard()).not.toContain(COMPLETE);
      for (const { heard } of [here, there]) expect(heard().split(COMPLETE)).toHaveLength(2);

      const sessions = await path.gateway.call('admin', 'GET', `/sessions?connection=${name}`);
      const recorded = async (): Promise<string[]> =>
        Promise.all(
          (sessions.body.data as { id: string }[]).map(async (session) => {
            const { body } = await path.gateway.call(
              'admin',
              'GET',
              `/sessions/${session.id}?expand=event_stream`,
            );
            return (body.event_stream as [number, string, string][])
              .map(([, , content]) => Buffer.from(content, 'base64').toString())
              .join('');
          }),
        );
      await eventually('both recordings tell of it', async () => {
        const telling = (await recorded()).filter((text) => text.includes(`${JSON.stringify(message)}\n`));
        return telling.length === 2;
      });
    });

    it('hears nothing when its person gives up', async () => {
      const name = await path.connection(server.url, { secret: { MCP_AUTH: 'oauth' } });
      const client = await listener(path, name);
      idIn(await client.call());
      accounts.isRefused = true;
      const address = await addressFor(path.gateway, name, 'alice');
      await expect(connectAccount(address, 'alice', accounts)).rejects.toThrow(/403/);
      accounts.isRefused = false;
      // Waits for a later notification, because an unwanted notification would have arrived before it.
      await connectAccount(address, 'alice', accounts);
      await eventually('the notification', async () => client.heard().includes(COMPLETE));
      expect(client.heard().split(COMPLETE)).toHaveLength(2);
    });
  }),
);
