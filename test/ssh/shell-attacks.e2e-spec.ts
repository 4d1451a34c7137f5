import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client, ClientChannel } from 'ssh2';
import { eventually } from '../support/eventually';
import { scoped } from '../support/scoped';
import { playServer } from '../support/ssh/played-server';
import { describeWithPrograms, issuedLogin } from '../support/ssh/programs';
import { type RunningCommand, beginSshClients, execute, watched } from '../support/ssh/ssh-clients';
import { volume } from '../support/volume';

const CTRL_C = '\u0003';
const NO_RM = 'Nothing is removed here.';
const SFTP_SERVERS = ['/usr/lib/openssh/sftp-server', '/usr/libexec/openssh/sftp-server'];

function shellOf(client: Client): Promise<RunningCommand> {
  return new Promise((resolve, reject) => {
    client.shell({ term: 'xterm' }, (error: Error | undefined, channel: ClientChannel) =>
      error ? reject(error) : resolve(watched(channel)),
    );
  });
}

const shows = (command: RunningCommand, text: string) =>
  eventually(`it shows ${text}`, () => command.out().includes(text));

// promises: SSHCLIENT-5, SSHCLIENT-7
describeWithPrograms(
  'attacks through shells and commands',
  ['ssh', 'sshd', 'ssh-keygen', 'scp'],
  scoped((begin) => {
    const path = beginSshClients(begin);
    let folder: string;
    let count = 0;

    beforeEach(async () => {
      folder = join(path.server.folder, `attacked-${(count += 1)}`);
      await mkdir(folder);
    });

    const denying = (...programs: string[]): ReturnType<typeof path.under> =>
      path.under({
        input: {
          rules: [{ type: 'shell_command', words: [], pattern_regex: '', message: NO_RM, programs }],
        },
      });

    it('a storm of Ctrl-C reaches the shell, and others are served meanwhile', async () => {
      const client = await path.client();
      const shell = await shellOf(client);
      shell.channel.write("PS1=; stty -echo; trap 'hits=$((hits + 1))' INT; echo rea''dy\n");
      await shows(shell, 'ready');
      for (let round = 0; round < volume(20, 200); round += 1) shell.channel.write(CTRL_C.repeat(1_000));
      const other = await path.client();
      expect(await (await execute(other, 'echo served')).ended).toMatchObject({ out: 'served\n' });
      other.end();
      // Each storm discards what was typed before the shell has read it.
      await eventually('the shell takes commands again', () => {
        shell.channel.write('test "$hits" -gt 0 && echo \'h\'it\n');
        return shell.out().includes('hit');
      });
      shell.channel.write('exit 5\n');
      expect(await shell.ended).toMatchObject({ code: 5 });
      client.end();
    });

    it('of a storm of signals, those that are pending are forwarded once, and all that follow', async () => {
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
      await shows(command, 'begun ');
      const sent = volume(2_000, 20_000);
      for (let count = 0; count < sent; count += 1) command.channel.signal('USR1');
      command.channel.signal('TERM');
      await shows(command, 'TERM ');
      client.end();
      const recorded = await path.recording((await path.lastSession()).id);
      const signals = recorded.filter(([, content]) => content.startsWith('signal USR1'));
      expect(signals.length).toBeGreaterThan(0);
      expect(signals.length).toBeLessThan(sent / 2);
      expect(recorded).toContainEqual(['i', 'signal TERM\n']);
      await server.close();
    });

    it('a long paste arrives whole', async () => {
      const pasted = randomBytes(volume(2_000_000, 10_000_000));
      const client = await path.client();
      const shell = await shellOf(client);
      shell.channel.write(`stty raw -echo; echo be''gun; head -c ${pasted.length} | sha256sum; exit\n`);
      await shows(shell, 'begun');
      shell.channel.write(pasted);
      const { out } = await shell.ended;
      expect(out).toContain(createHash('sha256').update(pasted).digest('hex'));
      client.end();
    });

    it.each([
      'bash -i',
      'bash',
      'sh -s',
      'exec bash --login -i',
      'script -qc "bash -i" /dev/null',
      'ssh localhost bash -i',
      "env -i bash -c 'exec bash -i'",
    ])('a shell that a command starts is hidden where a rule guards programs: %s', async (text) => {
      await writeFile(join(folder, 'kept'), 'kept');
      const client = await path.client(await denying('rm'));
      const command = await execute(client, text);
      command.channel.end(`rm ${folder}/kept\nexit\n`);
      expect(await command.ended).toMatchObject({ code: 254, err: `${NO_RM}\n` });
      expect(existsSync(join(folder, 'kept'))).toBe(true);
      client.end();
    });

    it('a server of files that a command starts is a program like others', async () => {
      const server = SFTP_SERVERS.find((each) => existsSync(each));
      if (server === undefined) return console.warn('not tried: OpenSSH has no sftp-server here');
      const denied = await path.client(await denying('sftp-server'));
      for (const text of [
        server,
        `exec ${server}`,
        `cd /; ${server} -e`,
        `'${server}'`,
        `env ${server} -R`,
      ]) {
        const command = await execute(denied, text);
        expect([text, await command.ended]).toMatchObject([text, { code: 254, err: `${NO_RM}\n` }]);
      }
      denied.end();
    });

    it.each<[string, string]>([
      ['a line feed', 'two\nlines'],
      ['an escape sequence', '\u001b]52;c;ZXZpbA==\u0007'],
      ['a command', '$(touch evil)`touch evil`;touch evil'],
      ['a name like an option', '-oProxyCommand=touch evil'],
      ['letters that run to the left', '\u202egpj.exe'],
      ['255 bytes', 'x'.repeat(255)],
    ])('scp moves files both ways whose name is %s', async (_, name) => {
      const source = join(path.programs.folder, `source-${count}`);
      const back = join(path.programs.folder, `back-${count}`);
      await mkdir(source);
      await mkdir(back);
      await writeFile(join(source, name), 'content');
      const scp = (from: string, to: string) =>
        path.programs.start(
          'scp',
          [...path.programs.options(), '-r', '-P', String(path.login.port), from, to],
          path.login,
        ).ended;
      const remote = `${path.login.user}@127.0.0.1:${folder}`;
      expect(await scp(source, `${remote}/`)).toMatchObject({ code: 0 });
      expect(await readFile(join(folder, `source-${count}`, name), 'utf8')).toBe('content');
      expect(await scp(`${remote}/source-${count}`, back)).toMatchObject({ code: 0 });
      expect(await readdir(join(back, `source-${count}`))).toEqual([name]);
      for (const place of [folder, path.programs.folder, back, process.cwd()])
        expect(await readdir(place)).not.toContain('evil');
    });
  }),
);
