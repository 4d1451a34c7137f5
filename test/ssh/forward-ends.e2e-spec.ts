import { once } from 'node:events';
import type { Client, Connection } from 'ssh2';
import { ClientConnection } from '../../src/proxies/ssh/driver/client-connection';
import { SshUpstream } from '../../src/proxies/ssh/upstream';
import { eventually } from '../support/eventually';
import { freePort } from '../support/gateway';
import { scoped } from '../support/scoped';
import {
  type Listener,
  answerAtEnd,
  exchange,
  listenAt,
  listens,
  openStream,
} from '../support/ssh/forwarded';
import { playServer } from '../support/ssh/played-server';
import { describeWithPrograms, issuedLogin } from '../support/ssh/programs';
import { MESSAGE, RawSshClient, payloadOf, stringField, uint32 } from '../support/ssh/raw-ssh-client';
import { beginSshClients, execute } from '../support/ssh/ssh-clients';
import { approve, ruleForScripts } from '../support/waiting-scripts';

/** Counts what is begun at a client's connection, and was not ended by the function that this returned. */
function countLiving(): Record<string, number> {
  const living: Record<string, number> = {};
  for (const name of ['watch', 'onLeft', 'onRoom'] as const) {
    const begin: (each: never) => () => void = ClientConnection.prototype[name];
    const counted = function (this: ClientConnection, each: never): () => void {
      const end = begin.call(this, each);
      living[name] = (living[name] ?? 0) + 1;
      let isLiving = true;
      return () => {
        if (isLiving) living[name] = (living[name] ?? 0) - 1;
        isLiving = false;
        end();
      };
    };
    jest.spyOn(ClientConnection.prototype, name).mockImplementation(counted as never);
  }
  return living;
}

function listenFor(client: Client, port: number): Promise<string | number> {
  return new Promise((resolve) =>
    client.forwardIn('localhost', port, (error, chosen) => resolve(error ? error.message : chosen)),
  );
}

function cancel(client: Client, port: number): Promise<string | undefined> {
  return new Promise((resolve) => client.unforwardIn('localhost', port, (error) => resolve(error?.message)));
}

describeWithPrograms(
  'forwards by ssh that end',
  ['ssh', 'sshd', 'ssh-keygen'],
  scoped((begin) => {
    const path = beginSshClients(begin);
    let echo: Listener;
    let count = 0;

    beforeAll(async () => {
      echo = await listenAt(0, answerAtEnd);
    });
    afterEach(() => jest.restoreAllMocks());
    afterAll(() => echo.close());

    const allowing = async (fields: Record<string, string>, server: Pick<typeof path.server, 'secret'>) => {
      const name = `ending-${(count += 1)}`;
      const answer = await path.ask(name, server.secret(fields));
      if (answer.status !== 201) throw new Error(answer.text);
      return { name, ...(await issuedLogin(path.gateway, name)) };
    };
    const BOTH = { FORWARD_TO: '127.0.0.1:*', FORWARD_FROM: 'localhost:*' };
    const streamed = async (client: Client): Promise<void> => {
      const channel = await openStream(client, '127.0.0.1', echo.port);
      if (typeof channel === 'string') throw new Error(channel);
      channel.resume().end('x');
      await once(channel, 'close');
    };
    const open = async (channel: string) =>
      (await path.sessions()).filter(
        ({ status, labels }) => status === 'open' && labels['channel'] === channel,
      );
    const allDone = () =>
      eventually('all sessions are closed', async () =>
        (await path.sessions()).every(({ status }) => status === 'done'),
      );

    // promises: SSHCLIENT-11
    it('leave nothing in memory while the connection of their client goes on', async () => {
      const living = countLiving();
      const reach = jest.spyOn(SshUpstream.prototype, 'reach');
      const client = await path.client(await allowing(BOTH, path.server));
      client.on('tcp connection', (_, accept) => answerAtEnd(accept() as never));
      const some = async (): Promise<unknown> => {
        await streamed(client);
        const port = Number(await listenFor(client, await freePort()));
        expect((await exchange({ port }, 'there')).toString()).toBe('there');
        expect(await cancel(client, port)).toBeUndefined();
        await allDone();
        await eventually('the server listens no more', async () => !(await listens(port)));
        const server = await reach.mock.results[0]?.value;
        const listeners = server.client.eventNames().map((name: string) => server.client.listenerCount(name));
        return { listeners, living: { ...living } };
      };
      const before = await some();
      for (let round = 0; round < 5; round += 1) await some();
      await Promise.all(Array.from({ length: 20 }, () => streamed(client)));
      expect(await some()).toEqual(before);
      client.end();
    });

    // promises: SSHFORWARD-4
    it('go on when the client asks again for an end at which its server listens', async () => {
      const client = await path.client(await allowing(BOTH, path.server));
      const port = await freePort();
      expect(await listenFor(client, port)).toBe(port);
      expect(await listenFor(client, port)).toMatch(/Unable to bind/);
      expect([await listens(port), (await open('listen')).length]).toEqual([true, 1]);
      // The end that is cancelled may be asked for at once, and again.
      const [cancelled, again] = [cancel(client, port), listenFor(client, port)];
      expect([await cancelled, await again]).toEqual([undefined, port]);
      await eventually('the first listening is over', async () => (await open('listen')).length === 1);
      expect(await cancel(client, port)).toBeUndefined();
      await eventually('the server listens no more', async () => !(await listens(port)));
      expect(await cancel(client, port)).toMatch(/Unable to unbind/);
      client.end();
    });

    // promises: SSHFORWARD-4
    it('are cancelled while they wait for an approval, which opens nothing later', async () => {
      const login = await allowing(BOTH, path.server);
      await ruleForScripts(path.gateway, login.name);
      const client = await path.client(login);
      const port = await freePort();
      const waiting = listenFor(client, port);
      const review = await eventually('a review is asked for', async () =>
        (await path.gateway.call('admin', 'GET', '/reviews?status=PENDING')).body.data.at(0),
      );
      const cancelled = cancel(client, port);
      expect([await waiting, await cancelled]).toEqual([
        expect.stringContaining('Unable to bind'),
        undefined,
      ]);
      await allDone();
      await approve(path.gateway, review.id);
      expect(await listens(port)).toBe(false);
      client.end();
    });

    // promises: SSHFORWARD-5
    it('end when the server is lost while the client is asked to take a stream', async () => {
      let connection: Connection | undefined;
      const server = await playServer({
        connected: (each) => void (connection = each).on('request', (accept) => accept?.()),
      });
      const client = await path.client(await allowing({ FORWARD_FROM: 'localhost:*' }, server));
      expect(await listenFor(client, 8_080)).toBe(8_080);
      const closed = new Promise<void>((resolve) => client.once('close', () => resolve()));
      const asked = once(client, 'tcp connection');
      connection?.forwardOut('localhost', 8_080, '127.0.0.1', 1, () => undefined);
      const [, accept] = await asked;
      const [stream] = await open('forwarded');
      server.cut();
      await eventually('the listening is over', async () => (await open('listen')).length === 0);
      accept().resume();
      await closed;
      await allDone();
      expect(JSON.stringify(await path.recording(stream?.id ?? ''))).toContain(
        'The connection to the server was lost.',
      );
      await server.close();
    });

    // promises: SSHFORWARD-5
    it('let other channels end, begin nothing more, and say why', async () => {
      const client = await path.client(await allowing(BOTH, path.server));
      const running = await execute(client, 'echo begun; cat');
      const channel = await openStream(client, '127.0.0.1', echo.port);
      if (typeof channel === 'string') throw new Error(channel);
      const cut = once(channel.resume(), 'close');
      const [{ id } = { id: '' }] = await eventually('the stream is open', async () => {
        const found = await open('forward');
        return found.length === 1 && found;
      });
      await path.gateway.call('admin', 'POST', `/sessions/${id}/kill`);
      await cut;
      expect(await openStream(client, '127.0.0.1', echo.port)).toBe(
        '1 This SSH connection is being closed, so nothing more begins in it. Please connect again.',
      );
      expect(await listenFor(client, await freePort())).toMatch(/Unable to bind/);
      const closed = new Promise<void>((resolve) => client.once('close', () => resolve()));
      running.channel.end('ended');
      expect(await running.ended).toMatchObject({ code: 0, out: 'begun\nended' });
      await closed;
    });

    // promises: SSHCLIENT-11
    it('are refused when their host cannot be read', async () => {
      const { user, password, port } = await allowing(BOTH, path.server);
      const before = (await path.sessions()).length;
      const client = await RawSshClient.signIn(port, { username: user, password });
      const end = [uint32(0xffff_ffff), uint32(8_080)];
      for (const name of ['tcpip-forward', 'cancel-tcpip-forward']) {
        const refused = client.received(/REQUEST_FAILURE/);
        client.send(payloadOf(MESSAGE.GLOBAL_REQUEST, stringField(name), Buffer.from([1]), ...end));
        await refused;
      }
      const refused = client.received(/CHANNEL_OPEN_FAILURE \(r:7\)/);
      const head = [stringField('direct-tcpip'), uint32(7), uint32(1_024), uint32(1_024)];
      client.send(payloadOf(MESSAGE.CHANNEL_OPEN, ...head, ...end, stringField('127.0.0.1'), uint32(1)));
      await refused;
      await client.open(8);
      expect(await path.sessions()).toHaveLength(before);
      client.end();
    });
  }),
);
