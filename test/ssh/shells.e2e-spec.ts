import type { Client, ClientChannel, PseudoTtyOptions } from 'ssh2';
import { eventually } from '../support/eventually';
import { blockWord, maskWord } from '../support/guarded-path';
import { scoped } from '../support/scoped';
import { describeWithPrograms, issuedLogin } from '../support/ssh/programs';
import { type RunningCommand, beginSshClients, execute, watched } from '../support/ssh/ssh-clients';
import { approve, ruleForScripts } from '../support/waiting-scripts';

const TERMINAL: PseudoTtyOptions = { term: 'xterm-256color', cols: 80, rows: 24 };

function shell(client: Client, terminal: PseudoTtyOptions | false = TERMINAL): Promise<RunningCommand> {
  return new Promise((resolve, reject) => {
    const opened = (error: Error | undefined, channel: ClientChannel): void =>
      error ? reject(error) : resolve(watched(channel));
    client.shell(terminal, { env: { LC_ALL: 'C', ENV: '/nothing', PS1: 'evil' } }, opened);
  });
}

const shows = (command: RunningCommand, text: string) =>
  eventually(`the terminal shows ${text}`, () => command.out().includes(text));

// promises: SSHCLIENT-5, SSHCLIENT-6, SSHCLIENT-8
describeWithPrograms(
  'shells by ssh',
  ['ssh', 'sshd', 'ssh-keygen'],
  scoped((begin) => {
    const path = beginSshClients(begin);

    it('have a terminal, and every byte of its output is recorded; what is typed is not', async () => {
      const client = await path.client();
      const terminal = await shell(client);
      terminal.channel.write(`stty -echo; printf 'size %s\\n' "$(stty size)"; echo $TERM\n`);
      await shows(terminal, 'xterm-256color\r\n');
      expect(terminal.out()).toContain('size 24 80');
      terminal.channel.setWindow(40, 120, 0, 0);
      terminal.channel.write(`printf 'size %s\\n' "$(stty size)"\n`);
      await shows(terminal, 'size 40 120');
      terminal.channel.write('read -r secret; echo "got ${#secret}"; exit 3\nhunter2canary\n');
      const { code, out } = await terminal.ended;
      expect(code).toBe(3);
      expect(out).toContain('got 13');
      client.end();
      const session = await path.lastSession();
      expect(session).toMatchObject({ exit_code: 3, labels: { channel: 'shell' } });
      const { body } = await path.read(session.id);
      expect(body.metadata).toEqual({ terminal: { type: 'xterm-256color', columns: 80, rows: 24 } });
      const recorded = await path.recording(session.id);
      const of = (type: string) => recorded.filter(([each]) => each === type).map(([, text]) => text);
      expect(of('o').join('')).toBe(out);
      expect(of('i')).toEqual(['shell', 'resize 120x40\n']);
      expect(JSON.stringify(recorded)).not.toContain('canary');
    });

    // promises: READ-21
    it('are played with their size, colors and positions, and nothing else that a terminal obeys', async () => {
      const client = await path.client();
      const terminal = await shell(client);
      terminal.channel.write('stty -echo; PS1=; echo ready\n');
      await shows(terminal, 'ready\r\n');
      terminal.channel.setWindow(1, 1, 0, 0);
      await eventually('the new size', () => {
        terminal.channel.write(`printf 'size %s\\n' "$(stty size)"\n`);
        return terminal.out().includes('size 1 1');
      });
      terminal.channel.write(
        String.raw`printf 'a\033[31mred\033[0m\033]52;c;ZXZpbA==\007\033[6nb\n'; exit` + '\n',
      );
      await terminal.ended;
      client.end();
      const { id } = await path.lastSession();
      const { text } = await path.read(id, '?extension=cast');
      const [header, ...events] = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(header).toMatchObject({ version: 2, width: 80, height: 24 });
      const of = (code: string): string[] => events.filter((each) => each[1] === code).map((each) => each[2]);
      // A person cannot hide what happens by a small window.
      expect(of('r')).toEqual(['40x10']);
      expect(of('o').join('')).toContain('a\u001b[31mred\u001b[0mb\r\n');
      expect(of('i')).toEqual([]);
    });

    it('are recorded with what is typed where the connection says so', async () => {
      await path.ask('keys', path.server.secret({ TERMINAL_INPUT: 'recorded' }));
      const client = await path.client(await issuedLogin(path.gateway, 'keys'));
      const terminal = await shell(client);
      terminal.channel.write('echo typed\n');
      terminal.channel.write('exit\n');
      await terminal.ended;
      client.end();
      const { id } = await path.lastSession();
      const recorded = await path.recording(id);
      const typed = recorded.filter(([type]) => type === 'i').map(([, text]) => text);
      expect(typed.join('')).toBe('shellecho typed\nexit\n');
    });

    it('serve ssh itself, with and without a terminal', async () => {
      const withTerminal = path.programs.startSsh(path.login, [], { flags: ['-tt'] });
      withTerminal.child.stdin?.write('echo "term $TERM"; exit 5\n');
      expect((await withTerminal.ended).code).toBe(5);
      expect(withTerminal.stdout()).toContain('exit 5');
      const without = await path.programs.ssh(path.login, [], {
        flags: ['-T'],
        input: 'echo plain; exit 6\n',
      });
      expect([without.code, without.stdout.toString()]).toEqual([6, 'plain\n']);
      const { id } = await path.lastSession();
      expect(await path.recording(id)).toEqual([
        ['i', 'shell'],
        ['i', 'echo plain; exit 6\n'],
        ['o', 'plain\n'],
      ]);
    });

    it('get Ctrl-C as a signal', async () => {
      const client = await path.client();
      const terminal = await shell(client);
      terminal.channel.write('echo begun; sleep 60; echo "ended $?"\n');
      await shows(terminal, 'begun\r\n');
      terminal.channel.write('\u0003');
      terminal.channel.write('echo after; exit\n');
      await shows(terminal, 'after\r\n');
      await terminal.ended;
      client.end();
    });

    it('show prompts at once under an output rule, and mask what they show, whatever its colors', async () => {
      const login = await path.under({ output: maskWord('canary') });
      const client = await path.client(login);
      const terminal = await shell(client);
      terminal.channel.write('stty -echo; PS1=; printf "%s" "Name: "; read name; echo "hello $name"\n');
      await shows(terminal, 'Name: ');
      terminal.channel.write('bob\n');
      await shows(terminal, 'hello bob\r\n');
      terminal.channel.write(
        `printf 'one %s%s two\\n' can ary; printf '\\033[31mca\\033[1;32mnary\\033[0m end\\n'\n`,
      );
      await shows(terminal, ' end');
      terminal.channel.write('exit\n');
      const { out } = await terminal.ended;
      expect(out).toContain('one **** two');
      expect(out).toContain('\u001b[31m****\u001b[1;32m\u001b[0m end');
      expect(out).not.toContain('canary');
      client.end();
      const { id } = await path.lastSession();
      const recorded = (await path.recording(id)).filter(([type]) => type === 'o').map(([, text]) => text);
      expect(recorded.join('')).toBe(out);
    });

    it('are ended by a word that was typed out slowly', async () => {
      const login = await path.under({ output: blockWord('canary', 'Not here.') });
      const client = await path.client(login);
      const terminal = await shell(client);
      terminal.channel.write('stty -echo; PS1=; echo ready\n');
      await shows(terminal, 'ready\r\n');
      terminal.channel.write('for c in c a n a r y; do printf %s $c; sleep 0.1; done; sleep 1; echo\n');
      const { code, err, out } = await terminal.ended;
      expect([code, err]).toEqual([254, 'Not here.\r\n']);
      expect(out).not.toContain('canary');
      client.end();
    });

    it('are refused by a connection that allows commands alone, terminals too', async () => {
      await path.ask('commands', path.server.secret({ CLIENT_MAY: 'command' }));
      const login = await issuedLogin(path.gateway, 'commands');
      const refused = await path.programs.ssh(login, [], { flags: ['-T'], input: 'echo no\n' });
      expect([refused.code, refused.stdout.toString(), refused.stderr]).toEqual([
        254,
        '',
        'This connection allows no interactive shells.\n',
      ]);
      const { id } = await path.lastSession();
      expect(await path.recording(id)).toEqual([
        ['i', 'shell'],
        ['e', 'This connection allows no interactive shells.\n'],
      ]);
      const terminal = await path.programs.ssh(login, ['echo no'], { flags: ['-tt'] });
      expect([terminal.code, terminal.stdout.toString()]).toEqual([254, '']);
      expect((await path.programs.ssh(login, ['echo yes'])).stdout.toString()).toBe('yes\n');
    });

    it('are allowed alone, if the connection says so', async () => {
      await path.ask('shells', path.server.secret({ CLIENT_MAY: 'shell' }));
      const login = await issuedLogin(path.gateway, 'shells');
      expect(await path.programs.ssh(login, ['true'])).toMatchObject({
        code: 254,
        stderr: 'This connection allows no commands.\n',
      });
      expect((await path.programs.ssh(login, [], { flags: ['-T'], input: 'exit 4' })).code).toBe(4);
    });

    it('need an approval where commands need one', async () => {
      await path.connect('reviewed-shell');
      await ruleForScripts(path.gateway, 'reviewed-shell');
      const login = await issuedLogin(path.gateway, 'reviewed-shell');
      const running = path.programs.startSsh(login, [], { flags: ['-T'] });
      running.child.stdin?.write('echo "ran"; exit 2\n');
      const review = await eventually('the review', () => /reviews\/(\S+)/.exec(running.stderr())?.[1]);
      expect(running.stdout()).toBe('');
      await approve(path.gateway, review);
      expect(await running.ended).toMatchObject({ code: 2, stdout: Buffer.from('ran\n') });
    });

    it('are no way to a terminal of another size than a screen, nor to other requests', async () => {
      const client = await path.client();
      await expect(shell(client, { term: 'xterm', cols: 100_000, rows: 24 })).rejects.toThrow();
      await expect(shell(client, { term: '../../evil\n', cols: 80, rows: 24 })).rejects.toThrow();
      const x11 = new Promise((resolve, reject) =>
        client.exec('true', { x11: true }, (error, channel) => (error ? reject(error) : resolve(channel))),
      );
      await expect(x11).rejects.toThrow();
      const forward = new Promise((resolve, reject) =>
        client.forwardOut('127.0.0.1', 1, '127.0.0.1', 22, (error, channel) =>
          error ? reject(error) : resolve(channel),
        ),
      );
      await expect(forward).rejects.toThrow();
      const reverse = new Promise((resolve, reject) =>
        client.forwardIn('127.0.0.1', 0, (error, port) => (error ? reject(error) : resolve(port))),
      );
      await expect(reverse).rejects.toThrow();
      expect(await (await execute(client, 'echo still')).ended).toMatchObject({ code: 0, out: 'still\n' });
      client.end();
    });
  }),
);
