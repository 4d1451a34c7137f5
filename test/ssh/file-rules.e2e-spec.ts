import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scoped } from '../support/scoped';
import { type ProgramEnd, type SshLogin, describeWithPrograms } from '../support/ssh/programs';
import { beginSshClients } from '../support/ssh/ssh-clients';

const NOT_HERE = 'Not this file.';

// promises: GUARDRAIL-30
describeWithPrograms(
  'rules on operations of SFTP',
  ['ssh', 'sshd', 'sftp', 'ssh-keygen'],
  scoped((begin) => {
    const path = beginSshClients(begin);
    let folder: string;
    let count = 0;

    beforeEach(async () => {
      folder = join(path.server.folder, `ruled-${(count += 1)}`);
      await mkdir(folder);
    });

    const under = (entry: object): ReturnType<typeof path.under> =>
      path.under({
        input: {
          rules: [{ type: 'file_transfer', words: [], pattern_regex: '', message: NOT_HERE, ...entry }],
        },
      });
    /** Runs commands of sftp, each whether those before it failed or not. */
    const sftp = ({ user, ...login }: SshLogin, ...lines: string[]): Promise<ProgramEnd> => {
      const flags = [...path.programs.options(['BatchMode=no']), '-P', String(login.port), '-b', '-'];
      const { child, ended } = path.programs.start('sftp', [...flags, `${user}@127.0.0.1`], login);
      child.stdin?.end(lines.map((line) => `-${line}\n`).join(''));
      return ended;
    };

    it('deny by what is done, whatever the path is', async () => {
      await writeFile(join(folder, 'kept'), 'kept');
      const login = await under({ file_operations: ['delete'] });
      const { stderr } = await sftp(
        login,
        `rm ${folder}/kept`,
        `rename ${folder}/kept ${folder}/other`,
        `get ${folder}/kept ${path.programs.folder}/got`,
        `mkdir ${folder}/new`,
        `rmdir ${folder}/new`,
      );
      expect(stderr.match(/permission denied/gi)).toHaveLength(3);
      expect((await readdir(folder)).sort()).toEqual(['kept', 'new']);
      expect(await readFile(join(path.programs.folder, 'got'), 'utf8')).toBe('kept');
      const recorded = await path.recording((await path.lastSession()).id);
      expect(recorded).toContainEqual(['i', `remove ${folder}/kept`]);
      expect(recorded).toContainEqual(['e', `${NOT_HERE}\n`]);
    });

    it('deny by path, however it is written, and by every way to another name', async () => {
      await mkdir(join(folder, 'closed'));
      await writeFile(join(folder, 'closed', 'secret'), 'canary');
      const login = await under({ file_paths: [`${folder}/closed/*`] });
      const got = join(path.programs.folder, 'leaked');
      const { stderr } = await sftp(
        login,
        `get ${folder}/closed/secret ${got}`,
        `get ${folder}/./closed//x/../secret ${got}`,
        `rename ${folder}/closed ${folder}/open`,
        `ln -s ${folder}/closed ${folder}/link`,
        `ln -s closed/secret ${folder}/link`,
        `ln ${folder}/closed/secret ${folder}/link`,
        `cd ${folder}/closed`,
        `get secret ${got}`,
      );
      expect(existsSync(got)).toBe(false);
      expect(stderr).not.toContain('canary');
      expect((await readdir(folder)).sort()).toEqual(['closed']);
    });

    it('deny by the end of the name', async () => {
      await writeFile(join(path.programs.folder, 'tool'), 'x');
      const login = await under({ file_operations: ['write'], file_extensions: ['sh'] });
      await sftp(
        login,
        `put ${path.programs.folder}/tool ${folder}/tool.SH`,
        `put ${path.programs.folder}/tool ${folder}/tool.txt`,
        `rename ${folder}/tool.txt ${folder}/tool.sh`,
      );
      expect(await readdir(folder)).toEqual(['tool.txt']);
    });

    it('let a file pass up to a size, in both directions', async () => {
      const login = await under({ file_bytes_over: 100_000 });
      const local = (name: string): string => join(path.programs.folder, name);
      await writeFile(local('small-up'), 'x'.repeat(100_000));
      await writeFile(local('large-up'), 'x'.repeat(100_001));
      await writeFile(join(folder, 'small'), 'y'.repeat(100_000));
      await writeFile(join(folder, 'large'), 'y'.repeat(100_001));
      await sftp(
        login,
        `put ${local('small-up')} ${folder}/small-up`,
        `put ${local('large-up')} ${folder}/large-up`,
        `get ${folder}/small ${local('small')}`,
        `get ${folder}/large ${local('large')}`,
      );
      expect((await readFile(join(folder, 'small-up'))).length).toBe(100_000);
      expect((await readFile(join(folder, 'large-up'))).length).toBeLessThan(100_001);
      expect((await readFile(local('small'))).length).toBe(100_000);
      const large = existsSync(local('large')) ? await readFile(local('large')) : Buffer.alloc(0);
      expect(large.length).toBeLessThan(100_001);
      const refused = (await path.recording((await path.lastSession()).id)).filter(([type]) => type === 'e');
      expect(refused).toEqual([
        ['e', `${NOT_HERE}\n`],
        ['e', `${NOT_HERE}\n`],
      ]);
    });

    it('have an effect on no command, which other entries judge', async () => {
      const login = await under({ file_operations: ['read', 'delete'] });
      const { code, stdout } = await path.programs.ssh(login, ['echo read']);
      expect([code, stdout.toString()]).toEqual([0, 'read\n']);
    });

    it('are tried on past sessions by a dry run', async () => {
      await writeFile(join(folder, 'old'), 'x');
      await sftp(path.login, `rm ${folder}/old`);
      const { id } = await path.lastSession();
      const dryRun = async (paths: string): Promise<string[]> => {
        const entry = { type: 'file_transfer', words: [], pattern_regex: '', file_paths: [paths] };
        const { body } = await path.gateway.call('admin', 'POST', '/guardrails/dry-run', {
          rule: { name: 'tried', input: { rules: [entry] }, output: { rules: [] } },
          direction: 'input',
          language: 'file_operation',
          text: `remove ${folder}/old`,
          sessions: 1,
        });
        return [body.verdict, ...body.replay.session_ids];
      };
      expect(await dryRun(`${folder}/*`)).toEqual(['block', id]);
      expect(await dryRun('/nowhere/*')).toEqual(['pass']);
    });
  }),
);
