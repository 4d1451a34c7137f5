import { execFile } from 'node:child_process';
import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { scoped } from '../../support/scoped';
import { playServer } from '../../support/ssh/played-server';
import { describeWithPrograms } from '../../support/ssh/programs';
import { beginSshClients } from '../../support/ssh/ssh-clients';
import { Terminal } from '../../support/terminal';
import { CommandLine, Run, commandOf, variablesOf } from './command-line';

const execFileOf = promisify(execFile);

/** Runs the real ssh at a real OpenSSH server behind the gateway. */
describeWithPrograms(
  'gateway ssh',
  ['ssh', 'sshd', 'ssh-keygen', 'script'],
  scoped((begin) => {
    const path = beginSshClients(begin);
    const line = new CommandLine(() => path.gateway);
    const statuses = async (person: 'admin' | 'alice'): Promise<string[]> => {
      const { body } = await path.gateway.call(person, 'GET', '/connection-credentials');
      return (body.data as { status: string }[]).map(({ status }) => status);
    };
    /** A configuration of ssh, as a person may have one. */
    const configured = async (text: string): Promise<string> => {
      const file = join(line.folder, 'ssh_config');
      await writeFile(file, text);
      return file;
    };

    afterAll(() => line.remove());

    // promises: CLI-17
    it('runs a command, with its input, outputs and exit code', async () => {
      const command = ['ssh', 'server', 'cat; echo err >&2; exit 7'];
      const alice = await line.as('alice');
      expect(await line.run(command, alice, 'in')).toEqual({ code: 7, out: 'in', err: 'err\n' });
      const dashes = await line.run(['ssh', 'server', 'echo', '--reason', '-n', 'x'], alice);
      expect([dashes.code, dashes.out]).toEqual([0, '--reason -n x\n']);
      expect((await statuses('alice')).slice(0, 2)).toEqual(['revoked', 'revoked']);
    });

    // promises: CLI-17
    it('opens a shell in this terminal; its password is in no argument and no file', async () => {
      const terminal = new Terminal(
        commandOf('ssh', '--reason', 'ticket 42', 'server', '-tt', 'exec sh -i'),
        variablesOf({ ...(await line.as('alice')), LC_ALL: 'C' }),
      );
      try {
        terminal.type("PS1='rea''dy>'\r");
        await terminal.until('ready>');
        const { stdout } = await execFileOf('ps', ['-eww', '-o', 'args']);
        const [ssh = ''] = stdout.split('\n').filter((one) => /^ssh .* exec sh -i$/.test(one));
        expect(ssh.replaceAll(/ -o \w+=\S+/g, '')).toMatch(
          /^ssh -l [0-9a-f-]{36} -p \d+ 127\.0\.0\.1 -tt exec sh -i$/,
        );
        terminal.type('exit 3\r');
        expect((await terminal.ended()).code).toBe(3);
      } finally {
        terminal.kill();
      }
      const { id } = await path.lastSession();
      expect((await path.read(id)).body).toMatchObject({ reason: 'ticket 42', exit_code: 3 });
      const kept = join(line.folder, 'nobody');
      const names = await readdir(kept);
      expect(names.sort()).toEqual([expect.stringMatching(/^known-hosts-access-gateway-/), 'ssh-askpass']);
      for (const name of names) expect((await stat(join(kept, name))).mode & 0o077).toBe(0);
      expect(await readFile(join(kept, 'ssh-askpass'), 'utf8')).toContain('"$GATEWAY_SSH_PASSWORD"');
    });

    it('takes the place of ssh in rsync and git', async () => {
      const alice = await line.as('alice');
      const [here = '', there = '', copy = ''] = ['here', 'there', 'copy'].map((one) =>
        join(line.folder, one),
      );
      await mkdir(here);
      await writeFile(join(here, 'file.txt'), 'content');
      const shell = commandOf('ssh');
      const env = variablesOf(alice);
      await execFileOf('rsync', ['-a', '-e', shell.replaceAll("'", ''), `${here}/`, `server:${there}/`], {
        env,
      });
      expect(await readFile(join(there, 'file.txt'), 'utf8')).toBe('content');
      const repository = join(line.folder, 'repository.git');
      await execFileOf('git', ['init', '-q', '--bare', repository], { env });
      const git = { ...env, GIT_SSH_COMMAND: shell, GIT_SSH_VARIANT: 'simple' };
      await execFileOf('git', ['clone', '-q', `server:${repository}`, copy], { env: git });
      expect(await readdir(copy)).toEqual(['.git']);
    });

    // promises: CLI-17
    it('waits for an approval, and says whom it waits for', async () => {
      await path.connect('guarded', { access_groups: ['*'] });
      const rule = {
        name: 'guarded-access',
        access_type: 'jit',
        reviewers_groups: ['admin'],
        min_approvals: 1,
        connection_names: ['guarded'],
      };
      expect((await path.gateway.call('admin', 'POST', '/access-requests/rules', rule)).status).toBe(201);
      const run = new Run(['ssh', 'guarded', 'echo approved'], await line.as('alice'));
      const [, id = ''] = await run.says(/Waiting for approval (\S+): 0 of 1 groups \(admin: pending\)/);
      expect((await line.run(['approve', id])).code).toBe(0);
      expect(await run.ended).toMatchObject({ code: 0, out: 'approved\n' });
      const refused = new Run(['ssh', 'guarded', 'echo approved'], await line.as('bob'));
      const [, other = ''] = await refused.says(/Waiting for approval (\S+):/);
      await line.run(['reject', other, '--reason', 'not today']);
      expect(await refused.ended).toMatchObject({ code: 3, out: '' });
    });

    // promises: CLI-17
    it('trusts the host keys of the REST API alone', async () => {
      const { body } = await path.gateway.call(null, 'GET', '/ssh-host-keys');
      const [, type, key] = (body.keys[0].known_hosts as string).split(' ');
      const other = 'AAAAC3NzaC1lZDI1NTE5AAAAIPYv2sR1nMGqqLUmTgzkqKyW0UyQ2SMKBGBvbqXuFLDf';
      // The person's own configuration trusts the key that answers, the REST API another one.
      const config = await configured(`Host *\n  KnownHostsCommand /bin/echo %H ${type} ${key}\n`);
      const run = ['ssh', 'server', '-F', config, 'echo reached'];
      const publish = (one?: string): Promise<unknown> =>
        path.gateway.database.query('UPDATE ssh_host_keys SET public_key = $1', [one]);
      await publish(other);
      try {
        const { code, out, err } = await line.run(run, await line.as('alice'));
        expect([code, out, err]).toEqual([255, '', expect.stringContaining('Host key verification failed')]);
      } finally {
        await publish(key);
      }
      expect((await line.run(run, await line.as('alice'))).out).toBe('reached\n');
    });

    // promises: CLI-17
    it.each(['password', 'keyboard-interactive'] as const)(
      'gives a jump host of the person’s configuration no password: %s',
      async (method) => {
        const passwords: string[] = [];
        // Everybody can compute the name that stands for the gateway: it is made of the public address.
        await line.run(['ssh', 'server', 'true'], await line.as('alice'));
        const kept = await readdir(join(line.folder, 'nobody'));
        const alias = kept.find((name) => name.startsWith('known-hosts-'))?.slice('known-hosts-'.length);
        expect(alias).toMatch(/^access-gateway-/);
        const jump = await playServer({
          signIn: (attempt) => {
            if (attempt.method === 'password') passwords.push(attempt.password);
            if (attempt.method !== 'keyboard-interactive') return attempt.reject([method]);
            attempt.prompt([{ prompt: `x@${alias}'s password: `, echo: false }], ((answers: string[]) => {
              passwords.push(...answers);
              attempt.reject([]);
            }) as never);
          },
        });
        try {
          const config = await configured(
            `Host jump\n PreferredAuthentications ${method}\n HostName 127.0.0.1\n Port ${jump.port}\n StrictHostKeyChecking no\n UserKnownHostsFile /dev/null\n` +
              'Host 127.0.0.1\n ProxyJump jump\n',
          );
          const run = await line.run(['ssh', 'server', '-F', config, 'true'], await line.as('alice'));
          expect(run.code).toBe(255);
          expect(passwords.filter((password) => password !== '')).toEqual([]);
          expect(passwords.length).toBeGreaterThan(0);
        } finally {
          await jump.close();
        }
      },
    );

    it('says what is wrong before it asks anybody', async () => {
      const missing = await line.run(['ssh', 'nowhere', 'true']);
      expect([missing.code, missing.out]).toEqual([66, '']);
      const other = await line.run(['psql', 'server', '--', '-c', 'SELECT 1']);
      expect([other.code, other.err]).toEqual([
        64,
        'gateway: server is a connection of the kind ssh, not postgres\n',
      ]);
      const without = await line.run(['ssh', 'server', 'true'], { ...(await line.as('admin')), PATH: '' });
      expect([without.code, without.err]).toEqual([69, 'gateway: ssh is not installed, or not in PATH\n']);
      expect(await statuses('admin')).toEqual(['revoked']);
    });
  }),
);
