import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, readdir, writeFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client, SFTPWrapper } from 'ssh2';
import { eventually } from '../support/eventually';
import { blockWord, maskWord } from '../support/guarded-path';
import { scoped } from '../support/scoped';
import { type ProgramEnd, type SshLogin, describeWithPrograms, issuedLogin } from '../support/ssh/programs';
import { beginSshClients } from '../support/ssh/ssh-clients';

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');

function sftpOf(client: Client): Promise<SFTPWrapper> {
  return new Promise((resolve, reject) =>
    client.sftp((error, sftp) => (error ? reject(error) : resolve(sftp))),
  );
}

/** Runs one request of the driver's client. Returns its result, or the message of the refusal. */
function asked<T>(
  request: (done: (error: Error | null | undefined, result?: T) => void) => void,
): Promise<T | string> {
  return new Promise((resolve) => request((error, result) => resolve(error ? error.message : (result as T))));
}

// promises: SSHCLIENT-8, SSHCLIENT-9
describeWithPrograms(
  'files by sftp and scp',
  ['ssh', 'sshd', 'sftp', 'scp', 'ssh-keygen'],
  scoped((begin) => {
    const path = beginSshClients(begin);
    let folder: string;
    let count = 0;

    beforeEach(async () => {
      folder = join(path.server.folder, `files-${(count += 1)}`);
      await mkdir(folder);
    });

    const sftp = ({ user, ...login }: SshLogin, lines: string[]): Promise<ProgramEnd> => {
      const flags = [
        ...path.programs.options(['BatchMode=no']),
        '-P',
        String(login.port),
        '-b',
        '-',
        `${user}@127.0.0.1`,
      ];
      const { child, ended } = path.programs.start('sftp', flags, login);
      child.stdin?.end(`${lines.join('\n')}\n`);
      return ended;
    };
    const scp = (
      { user, ...login }: SshLogin,
      from: string,
      to: string,
      flags: string[] = [],
    ): Promise<ProgramEnd> => {
      const remote = (name: string): string => name.replace(/^:/, `${user}@127.0.0.1:`);
      return path.programs.start(
        'scp',
        [...path.programs.options(), '-P', String(login.port), ...flags, remote(from), remote(to)],
        login,
      ).ended;
    };
    const lastRecording = async () => path.recording((await path.lastSession()).id);

    it('are moved both ways by scp, and recorded with size and hash', async () => {
      const content = randomBytes(3_000_000);
      await writeFile(join(path.programs.folder, 'up.bin'), content);
      expect(await scp(path.login, 'up.bin', `:${folder}/up.bin`)).toMatchObject({ code: 0 });
      expect((await readFile(join(folder, 'up.bin'))).equals(content)).toBe(true);
      const session = await path.lastSession();
      expect(session).toMatchObject({ exit_code: 0, labels: { channel: 'sftp' } });
      const up = await path.recording(session.id);
      expect(up).toContainEqual(['i', `open write,create ${folder}/up.bin`]);
      expect(up).toContainEqual(['o', `wrote 3000000 bytes, SHA-256 ${sha256(content)}: ${folder}/up.bin\n`]);
      expect(await scp(path.login, `:${folder}/up.bin`, 'down.bin')).toMatchObject({ code: 0 });
      expect((await readFile(join(path.programs.folder, 'down.bin'))).equals(content)).toBe(true);
      expect(await lastRecording()).toContainEqual([
        'o',
        `read 3000000 bytes, SHA-256 ${sha256(content)}: ${folder}/up.bin\n`,
      ]);
    });

    it('are moved by the old protocol of scp, which is a command', async () => {
      await writeFile(join(path.programs.folder, 'old.txt'), 'old\n');
      expect(await scp(path.login, 'old.txt', `:${folder}/old.txt`, ['-O'])).toMatchObject({ code: 0 });
      expect(await readFile(join(folder, 'old.txt'), 'utf8')).toBe('old\n');
      expect((await lastRecording())[0]).toEqual(['i', `scp -t ${folder}/old.txt`]);
    });

    it('are listed, renamed and removed, each operation recorded', async () => {
      await writeFile(join(folder, 'a.txt'), 'a');
      const { code, stdout } = await sftp(path.login, [
        `cd ${folder}`,
        'ls',
        'rename a.txt b.txt',
        'mkdir sub',
        'chmod 600 b.txt',
        'symlink b.txt link.txt',
        'rm b.txt',
        'rmdir sub',
      ]);
      expect(code).toBe(0);
      expect(stdout.toString()).toContain('a.txt');
      expect(await readdir(folder)).toEqual(['link.txt']);
      const inputs = (await lastRecording()).filter(([type]) => type === 'i').map(([, text]) => text);
      expect(inputs).toEqual([
        'subsystem sftp',
        `list ${folder}`,
        `rename ${folder}/a.txt ${folder}/b.txt`,
        `mkdir ${folder}/sub`,
        `setstat ${folder}/b.txt`,
        `symlink b.txt ${folder}/link.txt`,
        `remove ${folder}/b.txt`,
        `rmdir ${folder}/sub`,
      ]);
    });

    it('are only read where the connection says so', async () => {
      await path.ask('read-only', path.server.secret({ CLIENT_MAY: 'sftp-read' }));
      const login = await issuedLogin(path.gateway, 'read-only');
      await writeFile(join(folder, 'kept.txt'), 'kept\n');
      const client = await sftpOf(await path.client(login));
      const refused = 'This connection allows no changes by SFTP.';
      const at = join(folder, 'kept.txt');
      expect(await asked((done) => client.unlink(at, done))).toBe(refused);
      expect(await asked((done) => client.rename(at, `${at}2`, done))).toBe(refused);
      expect(await asked((done) => client.ext_openssh_rename(at, `${at}2`, done))).toBe(refused);
      expect(await asked((done) => client.ext_openssh_hardlink(at, `${at}2`, done))).toBe(refused);
      expect(await asked((done) => client.mkdir(`${at}2`, done))).toBe(refused);
      expect(await asked((done) => client.rmdir(folder, done))).toBe(refused);
      expect(await asked((done) => client.symlink(at, `${at}2`, done))).toBe(refused);
      expect(await asked((done) => client.setstat(at, { mode: 0o777 }, done))).toBe(refused);
      for (const flags of ['w', 'a', 'r+', 'wx'] as const)
        expect(await asked((done) => client.open(at, flags, done))).toBe(refused);
      const handle = (await asked((done) => client.open(at, 'r', done))) as Buffer;
      expect(await asked((done) => client.fsetstat(handle, { mode: 0o777 }, done))).toBe(refused);
      expect(await asked((done) => client.write(handle, Buffer.from('x'), 0, 1, 0, done as never))).toBe(
        refused,
      );
      expect(await asked((done) => client.readFile(at, 'utf8', done as never))).toBe('kept\n');
      expect(await readFile(at, 'utf8')).toBe('kept\n');
      client.end();
      expect(await lastRecording()).toContainEqual(['e', `${refused}\n`]);
    });

    it('are not moved at all where the connection says so', async () => {
      await path.ask('no-files', path.server.secret({ CLIENT_MAY: 'command' }));
      const login = await issuedLogin(path.gateway, 'no-files');
      const { code, stderr } = await sftp(login, ['ls']);
      expect(code).not.toBe(0);
      expect(stderr).toContain('This connection allows no file transfers by SFTP.');
    });

    it('are refused by a word in their path, however the path is written', async () => {
      const login = await path.under({ input: blockWord('/etc/shadow', 'Not this file.') });
      const client = await sftpOf(await path.client(login));
      for (const at of ['/etc/shadow', '/etc/./shadow', '/etc//shadow', '/var/../etc/shadow']) {
        expect(await asked((done) => client.open(at, 'r', done))).toBe('Not this file.');
        expect(await asked((done) => client.stat(at, done))).toBe('Not this file.');
      }
      const other = await asked((done) => client.readFile('/etc/hostname', 'utf8', done as never));
      expect(other).toMatch(/\S/);
      client.end();
      const recorded = await lastRecording();
      expect(recorded).toContainEqual(['i', 'open read /etc/./shadow']);
      expect(recorded.filter(([type, text]) => type === 'e' && text === 'Not this file.\n')).toHaveLength(8);
    });

    it('are not written with a word that a rule refuses, also across two pieces', async () => {
      const login = await path.under({ input: blockWord('forbidden', 'Not this text.') });
      const client = await sftpOf(await path.client(login));
      const handle = (await asked((done) => client.open(join(folder, 'x'), 'w', done))) as Buffer;
      const write = (text: string, offset: number) =>
        asked((done) => client.write(handle, Buffer.from(text), 0, text.length, offset, done as never));
      expect(await write('forb', 0)).toBe(4);
      expect(await write('idden', 4)).toBe('Not this text.');
      const again = (await asked((done) => client.open(join(folder, 'y'), 'w', done))) as Buffer;
      expect(
        await asked((done) => client.write(again, Buffer.from('idden'), 0, 5, 4, done as never)),
      ).toContain('in order');
      client.end();
    });

    it('are not read with a text that a rule refuses or masks, wherever a client begins to read', async () => {
      await writeFile(join(folder, 'secret.txt'), `${'x'.repeat(50_000)} canary ${'y'.repeat(50_000)}`);
      await writeFile(join(folder, 'plain.txt'), 'nothing here');
      for (const rule of [blockWord('canary', 'Not this text.'), maskWord('canary')]) {
        const login = await path.under({ output: rule });
        const client = await sftpOf(await path.client(login));
        const handle = (await asked((done) => client.open(join(folder, 'secret.txt'), 'r', done))) as Buffer;
        const read = (offset: number, length: number) =>
          asked<number>((done) => client.read(handle, Buffer.alloc(length), 0, length, offset, done));
        for (let at = 49_990; at < 50_015; at += 1) expect(await read(at, 1)).toEqual(expect.any(String));
        expect(await read(0, 32_768)).toBe(32_768);
        expect(await read(32_768, 32_768)).toEqual(expect.any(String));
        expect(await read(100_008, 100)).toBe(0);
        const plain = await asked((done) =>
          client.readFile(join(folder, 'plain.txt'), 'utf8', done as never),
        );
        expect(plain).toBe('nothing here');
        client.end();
      }
    });

    it('are read whole under a rule that finds nothing', async () => {
      const content = randomBytes(2_000_000);
      await writeFile(join(folder, 'large.bin'), content);
      const login = await path.under({ output: blockWord('canary', 'Not this text.') });
      expect(await scp(login, `:${folder}/large.bin`, 'large.bin')).toMatchObject({ code: 0 });
      const got = await readFile(join(path.programs.folder, 'large.bin'));
      expect(got.equals(content)).toBe(true);
    });

    it('are recorded with their content where the connection records results', async () => {
      await path.connect('content', { record_results: true });
      const login = await issuedLogin(path.gateway, 'content');
      await writeFile(join(folder, 'c.txt'), 'content of c');
      expect(await scp(login, `:${folder}/c.txt`, 'c.txt')).toMatchObject({ code: 0 });
      expect(await lastRecording()).toContainEqual(['o', 'content of c']);
    });

    it('are moved only by handles that the server gave', async () => {
      await writeFile(join(folder, 'guessed.txt'), 'kept\n');
      const client = await sftpOf(await path.client());
      const at = join(folder, 'guessed.txt');
      const unknown = 'There is no open file with this handle.';
      for (const guess of ['\0\0\0\0', '\0\0\0\x01', ''])
        expect(
          await asked((done) => client.write(Buffer.from(guess), Buffer.from('x'), 0, 1, 0, done as never)),
        ).toBe(unknown);
      // The handle is good until the client closes the file, and no longer.
      const handle = (await asked((done) => client.open(at, 'r+', done))) as Buffer;
      const closed = asked((done) => client.close(handle, done));
      const late = asked((done) => client.write(handle, Buffer.from('x'), 0, 1, 0, done as never));
      await closed;
      expect(await late).toBe(unknown);
      expect(await readFile(at, 'utf8')).toBe('kept\n');
      client.end();
    });

    it('have their attributes changed by an operation on their path', async () => {
      await writeFile(join(folder, 'changed.txt'), 'kept\n');
      const client = await sftpOf(await path.client());
      const at = join(folder, 'changed.txt');
      const handle = (await asked((done) => client.open(at, 'r', done))) as Buffer;
      await asked((done) => client.fsetstat(handle, { mode: 0o640 }, done));
      expect((await stat(at)).mode & 0o777).toBe(0o640);
      await asked((done) => client.close(handle, done));
      client.end();
      expect(await lastRecording()).toContainEqual(['i', `setstat ${at}`]);
    });

    it('survive what is not SFTP', async () => {
      const client = await path.client();
      for (const bytes of [Buffer.alloc(64, 0xff), Buffer.from([0, 0, 0, 1, 3]), Buffer.from([0, 0, 0, 0])]) {
        const channel = await new Promise<import('ssh2').ClientChannel>((resolve, reject) =>
          client.subsys('sftp', (error, opened) => (error ? reject(error) : resolve(opened))),
        );
        let told = '';
        channel.stderr.on('data', (text: Buffer) => (told += text.toString()));
        channel.write(bytes);
        await new Promise((resolve) => channel.on('close', resolve).resume());
        expect(told).toMatch(/packet/);
      }
    });

    it('serve only the subsystem sftp', async () => {
      const client = await path.client();
      const channel = await new Promise<import('ssh2').ClientChannel>((resolve, reject) =>
        client.subsys('netconf', (error, opened) => (error ? reject(error) : resolve(opened))),
      );
      let told = '';
      channel.stderr.on('data', (text: Buffer) => (told += text.toString()));
      await new Promise((resolve) => channel.on('close', resolve).resume());
      expect(told).toBe('This gateway does not offer the subsystem netconf.\n');
    });

    it('end with the session: what was moved so far is recorded', async () => {
      await writeFile(join(folder, 'part.bin'), Buffer.alloc(1_000));
      const client = await sftpOf(await path.client());
      const handle = (await asked((done) => client.open(join(folder, 'part.bin'), 'r', done))) as Buffer;
      await asked((done) => client.read(handle, Buffer.alloc(500), 0, 500, 0, done as never));
      const [session] = await path.sessions();
      await path.gateway.call('admin', 'POST', `/sessions/${session?.id}/kill`);
      const recorded = await eventually('the session is over', async () => {
        const last = await path.lastSession();
        return last.id === session?.id && path.recording(last.id);
      });
      const line = `read 500 bytes, SHA-256 ${sha256(Buffer.alloc(500))}: ${folder}/part.bin\n`;
      expect(recorded).toContainEqual(['o', line]);
    });
  }),
);
