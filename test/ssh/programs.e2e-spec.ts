import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../support/eventually';
import { maskWord } from '../support/guarded-path';
import { scoped } from '../support/scoped';
import { type ProgramEnd, describeWithPrograms, hasProgram } from '../support/ssh/programs';
import { beginSshClients, execute } from '../support/ssh/ssh-clients';

/** A test with a program of others, which is skipped with the reason if the program is not installed. */
const withProgram = (program: string, name: string, body: () => Promise<void>): void =>
  hasProgram(program) ? it(name, body) : it.skip(`${name} (skipped: ${program} is not installed here)`, body);

// promises: SSHCLIENT-2
describeWithPrograms(
  'programs that use ssh',
  ['ssh', 'sshd', 'ssh-keygen'],
  scoped((begin) => {
    const path = beginSshClients(begin);
    const command = () =>
      ['ssh', ...path.programs.options(), '-p', String(path.login.port)]
        .map((word) => `'${word.replaceAll("'", `'\\''`)}'`)
        .join(' ');
    const run = (program: string, args: readonly string[]): Promise<ProgramEnd> => {
      const environment = { GIT_SSH_COMMAND: command(), RSYNC_RSH: command(), GIT_CONFIG_NOSYSTEM: '1' };
      const { child, ended } = path.programs.start(program, args, path.login, environment);
      child.stdin?.end();
      return ended;
    };
    const at = (folder: string) => `${path.login.user}@127.0.0.1:${folder}`;

    withProgram('git', 'git clones, commits and pushes', async () => {
      const server = join(path.server.folder, 'repository.git');
      const copy = join(path.programs.folder, 'copy');
      expect(await run('git', ['init', '-q', '--bare', '-b', 'main', server])).toMatchObject({ code: 0 });
      expect(await run('git', ['clone', '-q', at(server), copy])).toMatchObject({ code: 0 });
      const content = randomBytes(500_000);
      await writeFile(join(copy, 'file.bin'), content);
      const inCopy = (...args: string[]) =>
        run('git', ['-C', copy, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args]);
      expect(await inCopy('add', '.')).toMatchObject({ code: 0 });
      expect(await inCopy('commit', '-qm', 'one')).toMatchObject({ code: 0 });
      expect(await inCopy('push', '-q', 'origin', 'HEAD:main')).toMatchObject({ code: 0 });
      const again = join(path.programs.folder, 'again');
      expect(await run('git', ['clone', '-q', '-b', 'main', at(server), again])).toMatchObject({ code: 0 });
      expect((await readFile(join(again, 'file.bin'))).equals(content)).toBe(true);
      const { id } = await path.lastSession();
      expect((await path.recording(id))[0]).toEqual(['i', `git-upload-pack '${server}'`]);
    });

    withProgram('rsync', 'rsync copies a folder both ways', async () => {
      const [here, there, back] = ['here', 'there', 'back'].map((name) => join(path.programs.folder, name));
      await mkdir(here ?? '');
      const content = randomBytes(2_000_000);
      await writeFile(join(here ?? '', 'file.bin'), content);
      expect(await run('rsync', ['-a', `${here}/`, at(`${there}/`)])).toMatchObject({ code: 0 });
      expect(await run('rsync', ['-a', at(`${there}/`), `${back}/`])).toMatchObject({ code: 0 });
      expect((await readFile(join(back ?? '', 'file.bin'))).equals(content)).toBe(true);
    });

    // A rule on output holds text back. A program that waits for an answer has to get what it waits for.
    withProgram('rsync', 'rsync and the old protocol of scp work under output rules', async () => {
      const login = await path.under({ output: maskWord('a word that is nowhere') });
      const content = randomBytes(500_000);
      await writeFile(join(path.programs.folder, 'ruled.bin'), content);
      const place = join(path.server.folder, 'ruled.bin');
      const remote = `${login.user}@127.0.0.1:${place}`;
      const environment = { RSYNC_RSH: command() };
      const ssh = [...path.programs.options(), '-P', String(login.port), '-O'];
      for (const [program, args] of [
        ['scp', [...ssh, 'ruled.bin', remote]],
        ['scp', [...ssh, remote, 'scp.bin']],
        ['rsync', ['ruled.bin', `${remote}-2`]],
        ['rsync', [`${remote}-2`, 'rsync.bin']],
      ] as const) {
        const { child, ended } = path.programs.start(program, args, login, environment);
        child.stdin?.end();
        expect(await ended).toMatchObject({ code: 0 });
      }
      for (const name of ['scp.bin', 'rsync.bin'])
        expect((await readFile(join(path.programs.folder, name))).equals(content)).toBe(true);
    });

    // It sends a packet of the key exchange before it knows what the gateway offers.
    withProgram('dbclient', 'dbclient of Dropbear runs commands', async () => {
      const { user, port, password } = path.login;
      const dbclient = path.programs.start(
        'dbclient',
        ['-y', '-y', '-p', String(port), `${user}@127.0.0.1`, 'cat; echo err >&2; exit 7'],
        path.login,
        { DROPBEAR_PASSWORD: password },
      );
      dbclient.child.stdin?.end('input\n');
      const { code, stdout, stderr } = await dbclient.ended;
      expect([code, stdout.toString()]).toEqual([7, 'input\n']);
      expect(stderr).toContain('err\n');
    });

    it('a program asks its client without a newline, and waits, under output rules', async () => {
      const client = await path.client(await path.under({ output: maskWord('canary') }));
      const asking = `printf 'name? '; read -r name; printf "hello $name, "; read -r word; echo "$word"`;
      const dialog = await execute(client, asking);
      await eventually('the program asks', () => dialog.out() === 'name? ');
      dialog.channel.write('bob\n');
      await eventually('it greets', () => dialog.out() === 'name? hello bob, ');
      dialog.channel.write('canary\n');
      expect((await dialog.ended).out).toBe('name? hello bob, ****\n');
    });

    it('one connection of ssh serves many commands, each a session of its own', async () => {
      const before = (await path.sessions()).length;
      const options = [
        'ControlMaster=auto',
        `ControlPath=${path.programs.folder}/control`,
        'ControlPersist=yes',
      ];
      const ends = [];
      for (let index = 0; index < 5; index += 1)
        ends.push((await path.programs.ssh(path.login, [`exit ${index}`], { options })).code);
      expect(ends).toEqual([0, 1, 2, 3, 4]);
      await path.programs.ssh(path.login, [], { options, flags: ['-O', 'exit'] });
      expect((await path.sessions()).length - before).toBe(5);
    });
  }),
);
