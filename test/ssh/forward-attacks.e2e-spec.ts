import { once } from 'node:events';
import type { Socket } from 'node:net';
import { eventually } from '../support/eventually';
import { freePort } from '../support/gateway';
import { scoped } from '../support/scoped';
import { revoke } from '../support/credentials';
import { withSettings } from '../support/settings';
import { SPELLINGS_OF_ITSELF, SPELLINGS_OF_METADATA } from '../support/ssh/evil-hosts';
import {
  type Listener,
  answerAtEnd,
  atRest,
  connected,
  exchange,
  listenAt,
  listens,
  openStream,
  pour,
} from '../support/ssh/forwarded';
import { startOpenSshServer } from '../support/ssh/open-ssh-server';
import { playServer } from '../support/ssh/played-server';
import { describeWithPrograms, issuedLogin } from '../support/ssh/programs';
import { beginSshClients, begunInTime, disconnected, execute } from '../support/ssh/ssh-clients';
import { approve, ruleForScripts } from '../support/waiting-scripts';

const MB = 1024 * 1024;

describeWithPrograms(
  'forwards by ssh that go wrong',
  ['ssh', 'sshd', 'ssh-keygen'],
  scoped((begin) => {
    const path = beginSshClients(begin);
    let echo: Listener;
    let count = 0;

    beforeAll(async () => {
      echo = await listenAt(0, answerAtEnd);
    });
    afterAll(() => echo.close());

    const allowing = async (fields: Record<string, string>, more: object = {}) => {
      const name = `wrong-${(count += 1)}`;
      const answer = await path.ask(name, path.server.secret(fields), more);
      if (answer.status !== 201) throw new Error(answer.text);
      return { name, ...(await issuedLogin(path.gateway, name)) };
    };
    const stream = async (client: Awaited<ReturnType<typeof path.client>>, port: number) => {
      const channel = await openStream(client, '127.0.0.1', port);
      if (typeof channel === 'string') throw new Error(channel);
      return channel;
    };
    const openForward = () =>
      eventually('the stream is open', async () =>
        (await path.sessions()).find(
          ({ status, labels }) => status === 'open' && labels['channel'] === 'forward',
        ),
      );
    const isDone = (id: string) =>
      eventually('the session is closed', async () =>
        (await path.sessions()).find((session) => session.id === id && session.status === 'done'),
      );

    // promises: SSHFORWARD-2
    it('never reach the SSH port of the server, or a metadata service, by any spelling', async () => {
      const { port } = path.server;
      const all = ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '127.0.0.2'];
      const lists = all.map((host) => `${host}:*, ${host}:22, ${host}:${port}`);
      const login = await allowing({
        FORWARD_TO: [...lists, '*.localhost:*, *.localdomain:*, *.svc:*, *.internal:*, *.goog:*'].join(', '),
      });
      const client = await path.client(login);
      const before = path.server.log().length;
      const passed: string[] = [];
      for (const [host, at] of [
        ...SPELLINGS_OF_ITSELF.flatMap((each) => [[each, port] as const, [each, 22] as const]),
        ...SPELLINGS_OF_METADATA.map((each) => [each, 80] as const),
        ['127.0.0.1', port + 65_536] as const,
      ]) {
        const opened = await openStream(client, host, at);
        if (typeof opened === 'string' && opened.startsWith('1 ')) continue;
        passed.push(`${host}:${at}: ${typeof opened === 'string' ? opened : 'open'}`);
      }
      expect(passed).toEqual([]);
      // The server was not even dialed.
      expect(path.server.log().slice(before)).not.toContain('Accepted publickey');
      // The list allows other ports, so that it is not the list that refuses.
      const channel = await stream(client, echo.port);
      channel.resume().end();
      await once(channel, 'close');
      client.end();
    }, 600_000);

    // promises: SSHFORWARD-5
    it('end at once with a kill: both sides are cut, and the client is disconnected', async () => {
      const login = await allowing({ FORWARD_TO: '127.0.0.1:*' });
      const endless = await listenAt(0, (socket) => void pour(socket, Infinity));
      const port = await freePort();
      const flags = ['-N', '-L', `127.0.0.1:${port}:127.0.0.1:${endless.port}`];
      const ssh = path.programs.startSsh(login, [], { flags });
      const socket = await eventually('the stream flows', async () => connected(port));
      const closed = once(socket, 'close');
      await eventually('much has arrived', () => socket.bytesRead > MB);
      const { id } = await openForward();
      expect((await path.gateway.call('admin', 'POST', `/sessions/${id}/kill`)).status).toBe(204);
      await closed;
      expect((await ssh.ended).code).toBe(255);
      await eventually('the server has closed its side', () => endless.sockets.size === 0);
      expect(await isDone(id)).toMatchObject({ exit_code: 254 });
      expect(JSON.stringify(await path.recording(id))).toMatch(/sent 0 bytes.*received \d{4,} bytes/);
      await endless.close();
    });

    // promises: SSHFORWARD-5
    it('end with the credentials, and when the person loses the connection', async () => {
      await path.gateway.call('admin', 'PATCH', '/organization', { features: { access_control: true } });
      const fields = { FORWARD_TO: '127.0.0.1:*', FORWARD_FROM: 'localhost:*' };
      for (const lose of [
        (name: string, id: string) => revoke(path.gateway, 'alice', id, name),
        (name: string) =>
          path.gateway.call('admin', 'PATCH', `/connections/${name}`, { access_groups: ['dba'] }),
      ]) {
        const login = await allowing(fields, { access_groups: ['engineering'] });
        const client = await path.client(login);
        const port = await freePort();
        await new Promise<void>((resolve, reject) =>
          client.forwardIn('localhost', port, (error) => (error ? reject(error) : resolve())),
        );
        const channel = await stream(client, echo.port);
        channel.write('begun');
        await openForward();
        const closed = disconnected(client);
        expect((await lose(login.name, login.id)).status).toBeLessThan(300);
        await closed;
        await eventually('nothing is open', async () =>
          (await path.sessions()).every(({ status }) => status === 'done'),
        );
        await eventually('the port of the server is closed', async () => !(await listens(port)));
      }
      await path.gateway.call('admin', 'PATCH', '/organization', { features: { access_control: false } });
    });

    // promises: SSHCLIENT-11
    it('wait for a side that does not read, in either direction, and lose nothing', async () => {
      const login = await allowing({ FORWARD_TO: '127.0.0.1:*' });
      const client = await path.client(login);
      let given = 0;
      const source = await listenAt(0, (socket) => void pour(socket, 32 * MB, (bytes) => (given += bytes)));
      const silent: Socket[] = [];
      const sleeper = await listenAt(0, (socket) => silent.push(socket.pause()));
      const [fromServer, toServer] = [await stream(client, source.port), await stream(client, sleeper.port)];
      let taken = 0;
      const written = pour(toServer, 32 * MB, (bytes) => (taken += bytes));
      await atRest(() => given + taken);
      expect([given < 25 * MB, taken < 25 * MB]).toEqual([true, true]);
      // Other channels and streams of the same connection go on.
      expect(await (await execute(client, 'echo here')).ended).toMatchObject({ out: 'here\n' });
      const other = await stream(client, echo.port);
      const answer = once(other, 'data');
      other.end('there');
      expect(String((await answer)[0])).toBe('there');
      let got = 0;
      fromServer.on('data', (bytes: Buffer) => (got += bytes.length));
      await once(fromServer, 'end');
      expect(got).toBe(32 * MB);
      fromServer.end();
      let arrived = 0;
      for (const socket of silent) socket.on('data', (bytes: Buffer) => (arrived += bytes.length)).resume();
      await written;
      await eventually('all has arrived', () => arrived === 32 * MB);
      client.end();
      await Promise.all([source.close(), sleeper.close()]);
    });

    // promises: SSHCLIENT-3
    it('are at most 32 at a time for one client, beside its channels', async () => {
      const login = await allowing({ FORWARD_TO: '127.0.0.1:*' });
      const client = await path.client(login);
      const opened = await Promise.all(
        Array.from({ length: 40 }, () => openStream(client, '127.0.0.1', echo.port)),
      );
      const refused = opened.filter((each) => typeof each === 'string');
      expect(refused).toEqual(Array(8).fill('4 A connection has at most 32 forwarded streams at a time.'));
      expect(await (await execute(client, 'echo here')).ended).toMatchObject({ out: 'here\n' });
      const [first, ...others] = opened.filter((each) => typeof each !== 'string');
      first?.resume().end();
      if (first !== undefined) await once(first, 'close');
      await eventually(
        'there is room',
        async () => typeof (await openStream(client, '127.0.0.1', echo.port)) !== 'string',
      );
      for (const channel of others) channel.close();
      client.end();
    });

    // promises: SSHCLIENT-5
    it('wait for an approval where a rule asks for one', async () => {
      const login = await allowing({ FORWARD_TO: '127.0.0.1:*' });
      await ruleForScripts(path.gateway, login.name);
      const client = await path.client(login);
      const waiting = openStream(client, '127.0.0.1', echo.port);
      const asked = async (not?: string) =>
        eventually('a review is asked for', async () =>
          (await path.gateway.call('admin', 'GET', '/reviews?status=PENDING')).body.data.find(
            ({ id }: { id: string }) => id !== not,
          ),
        );
      const review = await asked();
      expect(
        JSON.stringify((await path.gateway.call('admin', 'GET', `/reviews/${review.id}`)).body),
      ).toContain(`127.0.0.1:${echo.port}`);
      await approve(path.gateway, review.id);
      const channel = await waiting;
      if (typeof channel === 'string') throw new Error(channel);
      channel.resume().end();
      await once(channel, 'close');
      // The approval was for this one stream.
      const again = openStream(client, '127.0.0.1', echo.port);
      await path.gateway.call('bob', 'PUT', `/reviews/${(await asked()).id}`, { status: 'REJECTED' });
      expect(await again).toMatch(/^1 .*rejected/);
      client.end();
    });

    // promises: SSHFORWARD-1
    it('that the server does not allow are refused in its words', async () => {
      const strict = await startOpenSshServer(['AllowTcpForwarding no']);
      await path.ask('strict', strict.secret({ FORWARD_TO: '127.0.0.1:*', FORWARD_FROM: 'localhost:*' }));
      const client = await path.client(await issuedLogin(path.gateway, 'strict'));
      expect(await openStream(client, '127.0.0.1', echo.port)).toMatch(/^2 The server could not connect: \S/);
      const port = await freePort();
      const listens = new Promise((resolve, reject) =>
        client.forwardIn('localhost', port, (error) => (error ? reject(error) : resolve(port))),
      );
      await expect(listens).rejects.toThrow();
      client.end();
      await strict.close();
    });

    // promises: SSHFORWARD-5
    it('end with a kill also while a server does not answer', async () => {
      const silent = await playServer({
        connected: (connection) =>
          void connection.on('tcpip', () => undefined).on('request', () => undefined),
      });
      await path.ask('silent', silent.secret({ FORWARD_TO: '127.0.0.1:*', FORWARD_FROM: 'localhost:*' }));
      const login = await issuedLogin(path.gateway, 'silent');
      const client = await path.client(login);
      const kill = async (channel: string): Promise<string> => {
        const { id } = await eventually('the session is open', async () =>
          (await path.sessions()).find(
            ({ status, labels }) => status === 'open' && labels['channel'] === channel,
          ),
        );
        // The request is recorded before the server is asked.
        await eventually('the request is recorded', async () => (await path.recording(id)).length > 0);
        await path.gateway.call('admin', 'POST', `/sessions/${id}/kill`);
        expect(await isDone(id)).toMatchObject({ exit_code: 254 });
        return JSON.stringify(await path.recording(id));
      };
      const opening = openStream(client, '127.0.0.1', 80);
      expect(await kill('forward')).not.toContain('did not answer');
      expect(await opening).toMatch(/^1 \S/);
      const other = await path.client(login);
      const listening = new Promise((resolve) =>
        other.forwardIn('localhost', 8080, (error) => resolve(error?.message)),
      );
      expect(await kill('listen')).not.toContain('did not answer');
      expect(await listening).toMatch(/Unable to bind/);
      for (const each of [client, other]) each.end();
      await silent.close();
    });

    // promises: SSHFORWARD-5
    it('do not keep a client that is idle for too long', async () => {
      const login = await allowing({ FORWARD_TO: '127.0.0.1:*' });
      await withSettings(path.gateway, { sshProxy: { idleMinutes: 1 / 60 } }, async () => {
        const { closed } = await begunInTime(
          () => path.client(login),
          (client) => stream(client, echo.port),
        );
        const { id } = await openForward();
        await closed;
        await isDone(id);
        expect(JSON.stringify(await path.recording(id))).toContain('The session was idle for too long.');
      });
    });

    it('that a client refuses or leaves while they begin leave nothing open', async () => {
      const login = await allowing({ FORWARD_TO: '127.0.0.1:*', FORWARD_FROM: 'localhost:*' });
      const client = await path.client(login);
      const port = await freePort();
      await new Promise<void>((resolve, reject) =>
        client.forwardIn('localhost', port, (error) => (error ? reject(error) : resolve())),
      );
      client.on('tcp connection', (_, _accept, reject) => reject());
      expect(await exchange({ port }, 'x').catch(() => Buffer.alloc(0))).toHaveLength(0);
      client.end();
      for (let round = 0; round < 10; round += 1) {
        const leaving = await path.client(login);
        leaving.forwardOut('127.0.0.1', 1, '127.0.0.1', echo.port, () => undefined);
        if (round % 2 === 0) leaving.destroy();
        else leaving.end();
      }
      await eventually('all sessions are closed', async () =>
        (await path.sessions()).every(({ status }) => status === 'done'),
      );
      await eventually('all streams are closed', () => echo.sockets.size === 0);
    });
  }),
);
