import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../support/gateway';
import { blockWord } from '../support/guarded-path';
import { createRule } from '../support/guardrails';
import { scoped } from '../support/scoped';
import {
  type Listener,
  answerAtEnd,
  exchange,
  listenAt,
  listens,
  openStream,
  sha256,
  untilForwarding,
} from '../support/ssh/forwarded';
import {
  type RunningProgram,
  type SshLogin,
  describeWithPrograms,
  issuedLogin,
} from '../support/ssh/programs';
import { type ListedSession, beginSshClients } from '../support/ssh/ssh-clients';
import { eventually } from '../support/eventually';

const NOT_ALLOWED = 'This connection does not allow forwards to this destination.';

describeWithPrograms(
  'forwards by ssh',
  ['ssh', 'sshd', 'ssh-keygen', 'curl'],
  scoped((begin) => {
    const path = beginSshClients(begin);
    let echo: Listener;
    let count = 0;

    beforeAll(async () => {
      echo = await listenAt(0, answerAtEnd);
    });
    afterAll(() => echo.close());

    /** Creates a connection with these fields in its secret. Returns credentials of alice. */
    const allowing = async (fields: Record<string, string>, more: object = {}) => {
      const name = `forwards-${(count += 1)}`;
      const answer = await path.ask(name, path.server.secret(fields), more);
      expect(answer.status).toBe(201);
      return { name, ...(await issuedLogin(path.gateway, name)) };
    };
    const forwarding = (login: SshLogin, flags: string[]): RunningProgram =>
      path.programs.startSsh(login, [], { flags: ['-N', '-v', '-o', 'ExitOnForwardFailure=yes', ...flags] });
    const sessionOf = (channel: string, which: (session: ListedSession) => boolean = () => true) =>
      eventually(`a session of ${channel}`, async () =>
        (await path.sessions()).find((session) => session.labels['channel'] === channel && which(session)),
      );
    const closedSession = (channel: string, of?: string) =>
      sessionOf(channel, ({ id, status }) => status === 'done' && (of === undefined || id === of));

    // promises: SSHFORWARD-1
    it('are refused in words unless the connection allows them', async () => {
      const port = await freePort();
      const ssh = forwarding(path.login, ['-L', `127.0.0.1:${port}:127.0.0.1:${echo.port}`]);
      await untilForwarding(ssh);
      expect(await exchange({ port }, 'x').catch(() => Buffer.alloc(0))).toHaveLength(0);
      await eventually('the reason', () =>
        ssh.stderr().includes(`open failed: administratively prohibited: ${NOT_ALLOWED}`),
      );
      await ssh.stop();
      const { id, ...session } = await closedSession('forward');
      expect(session).toMatchObject({ exit_code: 254, verb: 'connect' });
      expect(await path.recording(id)).toEqual([
        ['i', `forward to 127.0.0.1:${echo.port}`],
        ['e', `${NOT_ALLOWED}\n`],
      ]);
      const back = forwarding(path.login, ['-R', `${await freePort()}:127.0.0.1:${echo.port}`]);
      expect((await back.ended).code).toBe(255);
      const listening = await closedSession('listen');
      expect(JSON.stringify(await path.recording(listening.id))).toContain(
        'does not allow its server to listen',
      );
    });

    // promises: SSHFORWARD-1, SSHFORWARD-3
    it('of a local port carry 10 MB both ways, and are recorded with size and hash', async () => {
      const login = await allowing({ FORWARD_TO: `127.0.0.1:${echo.port}` });
      const port = await freePort();
      const ssh = forwarding(login, ['-L', `127.0.0.1:${port}:127.0.0.1:${echo.port}`]);
      await untilForwarding(ssh);
      const sent = randomBytes(10 * 1024 * 1024);
      const got = await exchange({ port }, sent);
      expect(sha256(got)).toBe(sha256(sent));
      const session = await eventually('the recorded stream', async () => {
        for (const each of await path.sessions())
          if (each.status === 'done' && JSON.stringify(await path.recording(each.id)).includes(sha256(sent)))
            return each;
        return undefined;
      });
      expect(session).toMatchObject({ exit_code: 0, labels: { channel: 'forward' } });
      expect(await path.recording(session.id)).toEqual([
        ['i', `forward to 127.0.0.1:${echo.port}`],
        [
          'o',
          `sent ${sent.length} bytes, SHA-256 ${sha256(sent)}\nreceived ${sent.length} bytes, SHA-256 ${sha256(sent)}\n`,
        ],
      ]);
      const { body } = await path.read(session.id);
      expect(body.metadata.forward).toMatchObject({
        to: `127.0.0.1:${echo.port}`,
        origin: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      });
      await ssh.stop();
    });

    // promises: SSHFORWARD-3
    it('are recorded with their content where the connection records results', async () => {
      const login = await allowing({ FORWARD_TO: '127.0.0.1:*' }, { record_results: true });
      const client = await path.client(login);
      const channel = await openStream(client, '127.0.0.1', echo.port);
      if (typeof channel === 'string') throw new Error(channel);
      channel.resume().end('content of this stream');
      await once(channel, 'close');
      const { id } = await path.lastSession();
      const [asked, input, output] = await path.recording(id);
      expect([asked?.[0], input, output]).toEqual([
        'i',
        ['i', 'content of this stream'],
        ['o', 'content of this stream'],
      ]);
      client.end();
    });

    // promises: SSHFORWARD-1
    it('of a dynamic port let curl reach what is allowed, and nothing else', async () => {
      const web = createServer((_, response) => response.end('from the web')).listen(0, '127.0.0.1');
      await once(web, 'listening');
      const { port: webPort } = web.address() as AddressInfo;
      const login = await allowing({ FORWARD_TO: `localhost:${webPort}` });
      const port = await freePort();
      const ssh = forwarding(login, ['-D', `127.0.0.1:${port}`]);
      await untilForwarding(ssh);
      const curl = (url: string) =>
        path.programs.start('curl', ['-sS', '--socks5-hostname', `127.0.0.1:${port}`, url], login).ended;
      const reached = await curl(`http://localhost:${webPort}/`);
      expect([reached.code, reached.stdout.toString()]).toEqual([0, 'from the web']);
      expect((await curl(`http://127.0.0.1:${webPort}/`)).code).not.toBe(0);
      expect(ssh.stderr()).toContain(NOT_ALLOWED);
      await ssh.stop();
      web.close();
    });

    // promises: SSHFORWARD-1
    it('serve an editor: a command that stays, and a dynamic port to what it started', async () => {
      const login = await allowing({ CLIENT_MAY: 'command', FORWARD_TO: '127.0.0.1:*, localhost:*' });
      const port = await freePort();
      const ssh = path.programs.startSsh(login, ['sh'], { flags: ['-T', '-D', `127.0.0.1:${port}`] });
      const service = await freePort();
      const script = `require('http').createServer((_, r) => r.end('from the editor')).listen(${service}, '127.0.0.1', () => console.log('ready')); process.stdin.resume().on('end', () => process.exit())`;
      ssh.child.stdin?.write(`exec ${process.execPath} -e "${script}"\n`);
      await eventually('the service runs', () => ssh.stdout() === 'ready\n');
      for (const host of ['127.0.0.1', 'localhost']) {
        const url = `http://${host}:${service}/`;
        const flags = ['-sS', '--socks5-hostname', `127.0.0.1:${port}`, url];
        const reached = await path.programs.start('curl', flags, login).ended;
        expect([reached.code, reached.stdout.toString()]).toEqual([0, 'from the editor']);
      }
      await ssh.stop();
      await eventually('the service is gone', async () => !(await listens(service)));
    });

    // promises: SSHFORWARD-4
    it('of a port of the server reach the client, until it leaves', async () => {
      const login = await allowing({ FORWARD_FROM: 'localhost:*' });
      const port = await freePort();
      const ssh = forwarding(login, ['-R', `${port}:127.0.0.1:${echo.port}`]);
      await untilForwarding(ssh, 'remote forward success');
      const sent = randomBytes(3_000_000);
      expect(sha256(await exchange({ port }, sent))).toBe(sha256(sent));
      const recorded = await path.recording((await closedSession('forwarded')).id);
      expect(JSON.stringify(recorded)).toContain(sha256(sent));
      expect(recorded[0]?.[1]).toMatch(
        new RegExp(`^forward from localhost:${port} by 127\\.0\\.0\\.1:\\d+$`),
      );
      const listening = await sessionOf('listen', ({ status }) => status === 'open');
      expect(await path.recording(listening.id)).toEqual([['i', `listen at localhost:${port}`]]);
      await ssh.stop();
      await closedSession('listen', listening.id);
      await expect(exchange({ port }, 'x')).rejects.toThrow('ECONNREFUSED');
    });

    // promises: SSHFORWARD-4
    it('of a port that the server chooses are cancelled by the client alone', async () => {
      const login = await allowing({ FORWARD_FROM: '127.0.0.1:0' });
      const client = await path.client(login);
      const port = await new Promise<number>((resolve, reject) =>
        client.forwardIn('127.0.0.1', 0, (error, chosen) => (error ? reject(error) : resolve(chosen))),
      );
      client.on('tcp connection', (_, accept) => accept().end('from the client'));
      const got = await exchange({ port }, '');
      expect(got.toString()).toBe('from the client');
      const { id } = await sessionOf('listen', ({ status }) => status === 'open');
      await new Promise<void>((resolve, reject) =>
        client.unforwardIn('127.0.0.1', port, (error) => (error ? reject(error) : resolve())),
      );
      await eventually('the port is closed', () =>
        exchange({ port }, '').then(
          () => false,
          () => true,
        ),
      );
      expect(await closedSession('listen', id)).toMatchObject({ exit_code: 0 });
      client.end();
    });

    // promises: SSHFORWARD-1, SSHFORWARD-4
    it('of sockets go both ways', async () => {
      const [there, here] = [join(path.server.folder, 'there.sock'), join(path.programs.folder, 'here.sock')];
      const service = await listenAt(there, answerAtEnd);
      const remote = join(path.server.folder, 'remote.sock');
      const login = await allowing({ FORWARD_TO: there, FORWARD_FROM: remote });
      const ssh = forwarding(login, ['-L', `${here}:${there}`, '-R', `${remote}:127.0.0.1:${echo.port}`]);
      for (const at of [here, remote])
        expect(
          await eventually('the socket listens', () =>
            exchange({ path: at }, 'hello').catch(() => undefined),
          ),
        ).toEqual(Buffer.from('hello'));
      await ssh.stop();
      await service.close();
      const other = join(path.programs.folder, 'other.sock');
      const refused = forwarding(login, ['-L', `${other}:${there}2`]);
      await eventually('the reason', async () => {
        await exchange({ path: other }, 'x').catch(() => undefined);
        return refused.stderr().includes(`open failed: administratively prohibited: ${NOT_ALLOWED}`);
      });
      await refused.stop();
    });

    // promises: SSHFORWARD-3
    it('that a rule refuses by host and port never reach the server', async () => {
      const login = await allowing({ FORWARD_TO: '127.0.0.1:*' });
      await createRule(path.gateway, {
        name: login.name,
        connection_ids: [(await path.gateway.call('admin', 'GET', `/connections/${login.name}`)).body.id],
        input: blockWord(`127.0.0.1:${echo.port}`, 'Not there.'),
      });
      const client = await path.client(login);
      expect(await openStream(client, '127.1', echo.port)).toBe('1 Not there.');
      client.end();
    });

    // promises: SSHFORWARD-1
    it('that the server cannot open say why', async () => {
      const login = await allowing({ FORWARD_TO: '127.0.0.1:*, nowhere.invalid:80' });
      const client = await path.client(login);
      const closed = await freePort();
      expect(await openStream(client, '127.0.0.1', closed)).toBe(
        '2 The server could not connect: Connection refused.',
      );
      expect(await openStream(client, 'nowhere.invalid', 80)).toMatch(/^2 The server could not connect: /);
      expect((await closedSession('forward')).exit_code).toBe(255);
      client.end();
    });

    // promises: SSHFORWARD-2
    it('to the gateway itself are refused', async () => {
      const login = await allowing({ FORWARD_TO: '127.0.0.1:*, localhost:*' });
      const client = await path.client(login);
      const http = Number(new URL(path.gateway.api).port);
      for (const [host, port] of [
        ['127.0.0.1', login.port],
        ['localhost', login.port],
        ['0x7f.1', http],
      ] as const)
        expect(await openStream(client, host, port)).toBe(
          '1 No connection allows forwards to this gateway itself.',
        );
      client.end();
    });

    // promises: SSHCLIENT-8
    it('of an agent are refused', async () => {
      const at = join(path.programs.folder, 'agent.sock');
      const agent = await listenAt(at, (socket) => socket.end());
      const login = await allowing({ FORWARD_TO: '127.0.0.1:*', FORWARD_FROM: 'localhost:*' });
      const { user, port } = login;
      const shows = ['-A', '-p', String(port), `${user}@127.0.0.1`, 'echo "agent=$SSH_AUTH_SOCK"'];
      const flags = path.programs.options();
      const { stdout } = await path.programs.start('ssh', [...flags, ...shows], login, { SSH_AUTH_SOCK: at })
        .ended;
      expect(stdout.toString()).toBe('agent=\n');
      await agent.close();
    });

    it('end with the connection of the client, each recorded to its end', async () => {
      const login = await allowing({ FORWARD_TO: '127.0.0.1:*' });
      const port = await freePort();
      const ssh = forwarding(login, ['-L', `127.0.0.1:${port}:127.0.0.1:${echo.port}`]);
      await untilForwarding(ssh);
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      socket.write('begun');
      const session = await sessionOf('forward', ({ status }) => status === 'open');
      ssh.child.kill('SIGKILL');
      await eventually('the session is closed', async () =>
        (await path.sessions()).some(({ id, status }) => id === session.id && status === 'done'),
      );
      expect((await path.recording(session.id)).at(-1)).toEqual([
        'e',
        'The connection of the client was lost.\n',
      ]);
      await eventually('the server has closed its side', () => echo.sockets.size === 0);
      socket.destroy();
    });
  }),
);
