import { randomBytes } from 'node:crypto';
import { freePort } from '../support/gateway';
import { eventually } from '../support/eventually';
import { blockWord, maskWord } from '../support/guarded-path';
import { scoped } from '../support/scoped';
import { describeWithPrograms, issuedLogin } from '../support/ssh/programs';
import { playServer } from '../support/ssh/played-server';
import { beginSshClients, execute } from '../support/ssh/ssh-clients';
import { approve, ruleForScripts } from '../support/waiting-scripts';

const REFUSED = 'Not here.';

describeWithPrograms(
  'commands by ssh',
  ['ssh', 'sshd', 'ssh-keygen'],
  scoped((begin) => {
    const path = beginSshClients(begin);

    // promises: SSHCLIENT-2, SSHCLIENT-3
    it('give output, error output and exit code, and are recorded', async () => {
      const { code, stdout, stderr } = await path.programs.ssh(path.login, [
        'echo out; echo err >&2; exit 7',
      ]);
      expect([code, stdout.toString(), stderr]).toEqual([7, 'out\n', 'err\n']);
      const session = await path.lastSession();
      expect(session).toMatchObject({
        verb: 'connect',
        status: 'done',
        exit_code: 7,
        labels: { client_address: '127.0.0.1', channel: 'exec' },
      });
      expect(session.labels['application_name']).toMatch(/^OpenSSH_/);
      expect(await path.recording(session.id)).toEqual([
        ['i', 'echo out; echo err >&2; exit 7'],
        ['o', 'out\n'],
        ['e', 'err\n'],
      ]);
      const { body } = await path.read(session.id, '/verify');
      expect(body).toMatchObject({ status: 'valid', faults: [] });
    });

    it('pass standard input and output byte for byte, in both directions at once', async () => {
      const input = randomBytes(3_000_000);
      const { code, stdout } = await path.programs.ssh(path.login, ['cat'], { input });
      expect(code).toBe(0);
      expect(stdout.equals(input)).toBe(true);
      const { id } = await path.lastSession();
      const { body } = await path.read(id, '?expand=event_stream');
      const of = (type: string): Buffer =>
        Buffer.concat(
          (body.event_stream as [number, string, string][])
            .filter(([, each]) => each === type)
            .map(([, , content]) => Buffer.from(content, 'base64')),
        );
      expect(of('i').equals(Buffer.concat([Buffer.from('cat'), input]))).toBe(true);
      expect(of('o').equals(input)).toBe(true);
    });

    it('go on while the keys of the connection are exchanged again', async () => {
      const input = randomBytes(3_000_000);
      const options = ['RekeyLimit=300K'];
      const { code, stdout } = await path.programs.ssh(path.login, ['cat'], { input, options });
      expect([code, stdout.equals(input)]).toEqual([0, true]);
    });

    it('see the end of standard input, and end when they like', async () => {
      const counted = await path.programs.ssh(path.login, ['wc -c; echo after'], {
        input: 'x'.repeat(1_000),
      });
      expect(counted.stdout.toString()).toBe('1000\nafter\n');
      const early = await path.programs.ssh(path.login, ['head -c 5; exit 3'], {
        input: 'y'.repeat(500_000),
      });
      expect([early.code, early.stdout.toString()]).toEqual([3, 'yyyyy']);
    });

    it('tell by which signal they died', async () => {
      const client = await path.client();
      const ended = await (await execute(client, 'echo before; kill -TERM $$')).ended;
      expect(ended).toEqual({ code: null, signal: 'SIGTERM', out: 'before\n', err: '' });
      expect((await path.lastSession()).exit_code).toBe(143);
      client.end();
    });

    // promises: SSHCLIENT-6
    it('get signals of their client, which are recorded', async () => {
      // OpenSSH's server forwards no signals to programs of root.
      const server = await playServer({
        exec: (channel, _info, session) => {
          session.on('signal', (_accept, _reject, { name }) => channel.write(`${name} `));
          channel.write('begun ');
        },
      });
      await path.ask('signalled', server.secret());
      const client = await path.client(await issuedLogin(path.gateway, 'signalled'));
      const command = await execute(client, 'wait');
      const shows = (text: string) => eventually(`the output is ${text}`, () => command.out() === text);
      await shows('begun ');
      command.channel.signal('USR1');
      await shows('begun USR1 ');
      command.channel.signal('TERM');
      await shows('begun USR1 TERM ');
      client.end();
      const inputs = (await path.recording((await path.lastSession()).id)).filter(([type]) => type === 'i');
      expect(inputs).toEqual([
        ['i', 'wait'],
        ['i', 'signal USR1\n'],
        ['i', 'signal TERM\n'],
      ]);
      await server.close();
    });

    it('that die by a signal without a name in the protocol end with a code, and disturb nobody', async () => {
      const client = await path.client();
      const ended = await (await execute(client, 'echo before; kill -BUS $$')).ended;
      expect(ended).toMatchObject({ out: 'before\n' });
      expect(ended.code).toBe(255);
      expect((await (await execute(client, 'echo after')).ended).out).toBe('after\n');
      client.end();
    });

    it('get variables of the language alone', async () => {
      const client = await path.client();
      const env = { LD_PRELOAD: '/evil.so', LC_ALL: 'C', PATH: '/evil', LC_TIME: '$(id)', BASH_ENV: '/evil' };
      const { ended } = await execute(client, 'echo "$LC_ALL|$LD_PRELOAD|$LC_TIME|$BASH_ENV|$PATH"', { env });
      const { out } = await ended;
      expect(out).not.toContain('evil');
      expect(out).not.toContain('$(id)');
      client.end();
    });

    it('share a connection, each a session of its own', async () => {
      const client = await path.client();
      const running = await Promise.all(
        Array.from({ length: 8 }, (_, index) => execute(client, `cat; echo ${index}; exit ${index}`)),
      );
      for (const [index, { channel }] of running.entries()) channel.end(`in ${index}\n`);
      const ends = await Promise.all(running.map(({ ended }) => ended));
      expect(ends.map(({ code, out }) => [code, out])).toEqual(
        Array.from({ length: 8 }, (_, index) => [index, `in ${index}\n${index}\n`]),
      );
      const sessions = await eventually('the sessions are over', async () => {
        const newest = (await path.sessions()).slice(0, 8);
        return newest.every(({ status }) => status === 'done') && newest;
      });
      expect(new Set(sessions.map(({ exit_code }) => exit_code))).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7]));
      // The server saw one client.
      client.end();
    });

    it('are at most ten at a time in one connection', async () => {
      const client = await path.client();
      const running = await Promise.all(Array.from({ length: 10 }, () => execute(client, 'cat')));
      await expect(execute(client, 'true')).rejects.toThrow(/open failure/i);
      for (const { channel } of running) channel.end();
      await Promise.all(running.map(({ ended }) => ended));
      expect(await (await execute(client, 'echo again')).ended).toMatchObject({ code: 0, out: 'again\n' });
      client.end();
    });

    // promises: SSHCLIENT-4
    it('are refused by a rule, recorded, and never begun', async () => {
      const login = await path.under({ input: blockWord('forbidden', REFUSED) });
      const file = `${path.server.folder}/begun`;
      const { code, stdout, stderr } = await path.programs.ssh(login, [`touch ${file}; echo forbidden`]);
      expect([code, stdout.toString()]).toEqual([254, '']);
      expect(stderr).toBe(`${REFUSED}\n`);
      const { id, exit_code } = await path.lastSession();
      expect(exit_code).toBe(254);
      expect(await path.recording(id)).toEqual([
        ['i', `touch ${file}; echo forbidden`],
        ['e', stderr],
      ]);
      expect((await path.programs.ssh(login, [`test -e ${file}`])).code).toBe(1);
    });

    it('lose their input when a rule finds a word in it, also across two pieces', async () => {
      const login = await path.under({ input: blockWord('forbidden', REFUSED) });
      const client = await path.client(login);
      const command = await execute(client, 'cat');
      command.channel.write('one\nforb');
      await eventually('the first piece is back', () => command.out() === 'one\nforb');
      command.channel.write('idden\n');
      const { code, out, err } = await command.ended;
      expect([code, out]).toEqual([254, 'one\nforb']);
      expect(err).toBe(`${REFUSED}\n`);
      client.end();
    });

    // promises: SSHCLIENT-6
    it('have their output masked, and recorded as it was delivered', async () => {
      const login = await path.under({ output: maskWord('canary') });
      const script = `printf 'a ä can'; sleep 0.2; printf 'ary 😀 b\\377\\n'; echo canary >&2`;
      const { stdout, stderr } = await path.programs.ssh(login, [script]);
      expect(stdout.toString('latin1')).not.toContain('canary');
      const [head = '', tail = ''] = stdout.toString('latin1').split(Buffer.from('😀').toString('latin1'));
      expect(head.startsWith(Buffer.from('a ä ').toString('latin1'))).toBe(true);
      // A byte that is no UTF-8 reaches the client as it is.
      expect(tail).toBe(' b\xff\n');
      expect(stderr).not.toContain('canary');
      const { id } = await path.lastSession();
      expect(JSON.stringify(await path.recording(id)).match(/canary/g)).toHaveLength(1);
    });

    it('are ended when a rule blocks their output', async () => {
      const login = await path.under({ output: blockWord('canary', REFUSED) });
      const { code, stdout, stderr } = await path.programs.ssh(login, [
        `echo before; echo canary; seq 100000; sleep 5; echo after`,
      ]);
      expect(code).toBe(254);
      expect(stdout.toString()).not.toContain('canary');
      expect(stderr).toBe(`${REFUSED}\n`);
      const { id, exit_code } = await path.lastSession();
      expect(exit_code).toBe(254);
      expect(JSON.stringify(await path.recording(id))).not.toContain('after\\n"');
    });

    // promises: SSHCLIENT-5
    it('wait for an approval where a rule asks for one, and then run once, without input', async () => {
      await path.connect('reviewed');
      await ruleForScripts(path.gateway, 'reviewed');
      const login = await issuedLogin(path.gateway, 'reviewed');
      const running = path.programs.startSsh(login, ['cat; echo ran']);
      running.child.stdin?.end('echo smuggled\n');
      const link = await eventually(
        'the review is announced',
        () => /reviews\/(\S+)/.exec(running.stderr())?.[1],
      );
      expect(running.stdout()).toBe('');
      await approve(path.gateway, link);
      expect(await running.ended).toMatchObject({ code: 0, stdout: Buffer.from('ran\n') });
      const again = path.programs.startSsh(login, ['cat; echo ran']);
      const other = await eventually('another review', () => /reviews\/(\S+)/.exec(again.stderr())?.[1]);
      expect(other).not.toBe(link);
      await path.gateway.call('bob', 'PUT', `/reviews/${other}`, { status: 'REJECTED' });
      const refused = await again.ended;
      expect([refused.code, refused.stdout.toString()]).toEqual([254, '']);
      expect(refused.stderr).toContain('rejected');
    });

    it('are refused in words by a connection that the person may not open', async () => {
      await path.connect('locked', { access_mode_connect: 'disabled' });
      const { body } = await path.gateway.call('alice', 'POST', '/api-keys', {}).catch(() => ({ body: {} }));
      expect(body).toBeDefined();
      const token = await path.gateway.token('alice');
      const login = { ...path.login, user: 'locked', password: token };
      const refused = await path.programs.ssh(login, ['true']);
      expect([refused.code, refused.stderr]).toEqual([
        254,
        'The connection locked does not accept clients.\n',
      ]);
      const missing = await path.programs.ssh({ ...login, user: 'nowhere' }, ['true']);
      expect([missing.code, missing.stderr]).toEqual([254, 'There is no connection named nowhere.\n']);
    });

    it('take a token as the password of the connection', async () => {
      const login = { ...path.login, user: 'server', password: await path.gateway.token('alice') };
      expect((await path.programs.ssh(login, ['echo hello'])).stdout.toString()).toBe('hello\n');
    });

    it('tell in plain words why the server cannot be reached', async () => {
      const gone = String(await freePort());
      await path.ask('gone', path.server.secret({ PORT: gone }));
      const login = await issuedLogin(path.gateway, 'gone');
      const { code, stderr } = await path.programs.ssh(login, ['true']);
      expect(code).toBe(255);
      expect(stderr).toMatch(/^The server could not be reached/);
      expect(stderr).not.toContain(gone);
    });

    it('do not reach a server with another host key', async () => {
      const other = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPYv2sR1nMGqqLUmTgzkqKyW0UyQ2SMKBGBvbqXuFLDf';
      await path.ask('changed', path.server.secret({ HOST_KEY: other }));
      const login = await issuedLogin(path.gateway, 'changed');
      const { code, stderr } = await path.programs.ssh(login, ['true']);
      expect(code).toBe(255);
      expect(stderr).toContain('host key of the server is not one of HOST_KEY');
    });
  }),
);
