import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../support/eventually';
import { scoped } from '../support/scoped';
import { describeWithSshd, isRunning } from '../support/ssh/open-ssh-server';
import { startSshPath } from '../support/ssh/ssh-path';
import { startTcpProxy } from '../support/tcp-proxy';

const BY_ADMIN = 'The session was ended by admin@example.com.';

describeWithSshd(
  'a script on an SSH server that is ended',
  scoped((begin) => {
    const path = begin(() => startSshPath());
    let count = 0;

    /** Starts a script that writes its process id to a file first; resolves once it runs. */
    const running = async (rest: string, connection = 'server') => {
      const file = join(path.server.folder, `running-${(count += 1)}`);
      const script = `echo $$ > ${file}.new; mv ${file}.new ${file}\n${rest.replaceAll('FILE', file)}`;
      const answer = path.run(script, { connection });
      await eventually('the script runs', () => existsSync(file));
      const [row] = await path.gateway.database.query<{ id: string }>(
        'SELECT id FROM sessions WHERE script = $1',
        [script],
      );
      return { file, id: row?.id ?? '', answer, pid: Number(readFileSync(file, 'utf8')) };
    };
    const kill = (id: string) => path.gateway.call('admin', 'POST', `/sessions/${id}/kill`);

    // promises: SSH-7
    it.each([
      ['that waits', 'echo begun; sleep 1000'],
      ['with processes in the background', 'echo begun; sleep 1000 & echo $! > FILE.child; sleep 1000'],
      ['that computes', 'echo begun; while :; do :; done'],
      ['that ignores SIGTERM', "trap '' TERM; echo begun; while :; do sleep 1; done"],
      ['that writes without end', 'echo begun; yes'],
    ])('by a kill: %s is gone from the server, and its recording has the reason', async (_, rest) => {
      const { id, answer, pid, file } = await running(rest);
      expect([202, 204]).toContain((await kill(id)).status);
      const { body } = await answer;
      expect(body).toMatchObject({ session_id: id, output_status: 'failed', exit_code: 254 });
      expect(body.output).toMatch(/^begun\n/);
      await eventually('the process is gone', () => !isRunning(pid));
      if (existsSync(`${file}.child`))
        await eventually(
          'its child is gone',
          () => !isRunning(Number(readFileSync(`${file}.child`, 'utf8'))),
        );
      expect((await path.recording(id)).at(-1)).toEqual(['e', `${BY_ADMIN}\n`]);
      expect((await path.read(id, '/verify')).body).toMatchObject({ status: 'valid', faults: [] });
    });

    it('may clean up, and what it then writes is recorded', async () => {
      const recorded: string[] = [];
      // It has 0.6 s for that, in which a busy machine may not run it at all.
      while (recorded.length < 5 && !recorded.some((text) => text.includes('cleaned\n'))) {
        const { id, answer } = await running("trap 'echo cleaned; exit 5' TERM; echo begun; sleep 1000");
        await kill(id);
        expect((await answer).body).toMatchObject({ exit_code: 254 });
        const texts = (await path.recording(id)).slice(1).map(([, text]) => text);
        recorded.push(texts.join(''));
      }
      expect(recorded.at(-1)).toMatch(/^begun\n(?:Terminated\n)?cleaned\n/);
      expect(recorded.at(-1)?.endsWith(`${BY_ADMIN}\n`)).toBe(true);
    });

    it('by a kill before the server answers', async () => {
      const proxy = await startTcpProxy('127.0.0.1', path.server.port);
      try {
        proxy.goSilent();
        const secret = path.server.secret({ PORT: String(proxy.port) });
        await path.ask('silent', secret);
        const script = 'echo never';
        const answer = path.run(script, { connection: 'silent' });
        const { id } = await eventually('the session is open', async () => {
          const [row] = await path.gateway.database.query<{ id: string }>(
            'SELECT id FROM sessions WHERE script = $1',
            [script],
          );
          return row;
        });
        await kill(id);
        expect((await answer).body).toMatchObject({ exit_code: 254, output: `${BY_ADMIN}\n` });
      } finally {
        await proxy.close();
      }
    });

    // promises: SSH-6, SSH-7
    it('by the network: says so, with the exit code of a lost target', async () => {
      const proxy = await startTcpProxy('127.0.0.1', path.server.port);
      try {
        await path.ask('cut', path.server.secret({ PORT: String(proxy.port) }));
        const { id, answer, pid } = await running('echo begun; sleep 1000', 'cut');
        await eventually('its output was recorded', async () =>
          (await path.recording(id)).some(([type]) => type === 'o'),
        );
        proxy.cut();
        expect((await answer).body).toMatchObject({
          output_status: 'failed',
          exit_code: 2,
          output: 'begun\nThe connection to the server was lost while the script ran.\n',
        });
        await eventually('the process is gone, too', () => !isRunning(pid));
      } finally {
        await proxy.close();
      }
    });
  }),
);
