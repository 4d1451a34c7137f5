import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client, SFTPWrapper } from 'ssh2';
import { eventually } from '../support/eventually';
import { blockWord, maskWord } from '../support/guarded-path';
import { createRule } from '../support/guardrails';
import { scoped } from '../support/scoped';
import { describeWithPrograms, issuedLogin } from '../support/ssh/programs';
import { beginSshClients, execute, watched } from '../support/ssh/ssh-clients';

function openSftp(client: Client): Promise<SFTPWrapper> {
  return new Promise((resolve, reject) =>
    client.sftp((error, sftp) => (error ? reject(error) : resolve(sftp))),
  );
}

function opened(sftp: SFTPWrapper, path: string, mode: 'r' | 'w'): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    sftp.open(path, mode, (error, handle) => (error ? reject(error) : resolve(handle))),
  );
}

/** Reads or writes an open file. Resolves with what was read, or with the message of the refusal. */
function moved(sftp: SFTPWrapper, handle: Buffer, text: string | undefined, at: number): Promise<string> {
  return new Promise((resolve) => {
    const bytes = text === undefined ? Buffer.alloc(100) : Buffer.from(text);
    const done = (error: Error | null | undefined, count = bytes.length): void =>
      resolve(error ? error.message : bytes.toString('utf8', 0, count));
    if (text === undefined) sftp.read(handle, bytes, 0, bytes.length, at, done);
    else sftp.write(handle, bytes, 0, bytes.length, at, done);
  });
}

// promises: GUARDRAIL-10
describeWithPrograms(
  'rules that change while a session is open over SSH',
  ['ssh', 'sshd', 'ssh-keygen'],
  scoped((begin) => {
    const path = beginSshClients(begin);
    let count = 0;

    /** A client of a connection without rules. */
    const unguarded = async () => {
      const name = `changing-${(count += 1)}`;
      const id = await path.connect(name);
      const client = await path.client(await issuedLogin(path.gateway, name));
      const add = (rules: object): Promise<string> =>
        createRule(path.gateway, { name: `rule-of-${name}-${(count += 1)}`, connection_ids: [id], ...rules });
      return { client, add };
    };

    it('hold for what a shell shows from then on, and until they are deleted', async () => {
      const { client, add } = await unguarded();
      const shell = await new Promise<ReturnType<typeof watched>>((resolve, reject) =>
        client.shell({ term: 'xterm' }, (error, channel) =>
          error ? reject(error) : resolve(watched(channel)),
        ),
      );
      const shows = (text: string) =>
        eventually(`the terminal shows ${text}`, () => shell.out().includes(text));
      const print = (word: string): void => void shell.channel.write(`printf 'can%s %s\\n' ary ${word}\n`);
      shell.channel.write('stty -echo; PS1=; echo ready\n');
      await shows('ready\r\n');
      print('one');
      await shows('canary one');
      const rule = await add({ output: maskWord('canary') });
      print('two');
      await shows('**** two');
      expect((await path.gateway.call('admin', 'DELETE', `/guardrails/${rule}`)).status).toBe(204);
      print('three');
      await shows('canary three');
      await add({ output: blockWord('canary', 'No canaries.') });
      print('four');
      expect(await shell.ended).toMatchObject({ code: 254, err: 'No canaries.\r\n' });
      expect(shell.out()).not.toContain('four');
      client.end();
    });

    it('hold for each line of output, also after a second change', async () => {
      const { client, add } = await unguarded();
      const log = join(path.server.folder, 'growing');
      await writeFile(log, '');
      const command = await execute(client, `tail -f '${log}'`);
      let shown = '';
      const shows = async (line: string, as: string): Promise<void> => {
        await appendFile(log, line);
        shown += as;
        await eventually(`${as} arrives`, () => command.out().length >= shown.length);
        expect(command.out()).toBe(shown);
      };
      await shows('canary\n', 'canary\n');
      for (let change = 1; change <= 5; change += 1) {
        const rule = await add({ output: maskWord('canary') });
        await shows('canary\n', '****\n');
        await path.gateway.call('admin', 'DELETE', `/guardrails/${rule}`);
        await shows('canary\n', 'canary\n');
      }
      client.end();
    });

    it('hold for what a program reads from then on', async () => {
      const { client, add } = await unguarded();
      const command = await execute(client, 'cat');
      command.channel.write('canary one\n');
      await eventually('the first line is back', () => command.out() === 'canary one\n');
      await add({ input: blockWord('canary', 'No canaries.') });
      command.channel.write('canary two\n');
      expect(await command.ended).toEqual({ code: 254, out: 'canary one\n', err: 'No canaries.\n' });
      client.end();
    });

    it('hold for what is read from and written to open files from then on', async () => {
      const { client, add } = await unguarded();
      const folder = join(path.server.folder, 'changing');
      await mkdir(folder);
      await writeFile(join(folder, 'read'), 'a canary sings');
      const sftp = await openSftp(client);
      const reading = await opened(sftp, join(folder, 'read'), 'r');
      const writing = await opened(sftp, join(folder, 'written'), 'w');
      expect(await moved(sftp, reading, undefined, 0)).toBe('a canary sings');
      expect(await moved(sftp, writing, 'canary one', 0)).toBe('canary one');
      await add({ output: maskWord('canary') });
      expect(await moved(sftp, reading, undefined, 0)).toBe(
        'A rule masks text in this file, so it cannot be transferred.',
      );
      await add({ input: blockWord('canary', 'No canaries.') });
      expect(await moved(sftp, writing, 'canary two', 10)).toBe('No canaries.');
      client.end();
    });
  }),
);
