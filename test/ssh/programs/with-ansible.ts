import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { upload } from './command-checks';
import { type Outcome, run, versionOf } from './running';
import type { SshWay } from './ways';
import { openSshOptions } from './with-openssh';

/** Ways in which Ansible moves files, and whether modules come through standard input instead. */
const SETTINGS = [
  { transfer: 'sftp', pipelining: false },
  { transfer: 'scp', pipelining: false },
  { transfer: 'piped', pipelining: true },
] as const;

/** Ansible runs ssh, with one connection for all commands. @param python an interpreter that has it */
export async function withAnsible(way: SshWay, python: string): Promise<Outcome> {
  const { local, port, user, keyFile, password = '' } = way;
  upload(way);
  const bin = (program: string): string => join(dirname(python), program);
  const signIn =
    keyFile === undefined ? `ansible_password='${password}'` : `ansible_ssh_private_key_file=${keyFile}`;
  const options = openSshOptions(way).filter((option) => !option.startsWith('NumberOfPasswordPrompts'));
  const arguments_ = options.filter((option, index) => option !== '-o' || options[index + 1]?.includes('='));
  writeFileSync(
    join(local, 'inventory'),
    `server ansible_host=127.0.0.1 ansible_port=${port} ansible_user=${user} ${signIn} ansible_python_interpreter=${python} ansible_async_dir=${way.remote}/.async\n`,
  );
  const seen: Record<string, unknown> = {};
  for (const { transfer, pipelining } of SETTINGS) {
    const { code, out, err } = await run(
      way,
      [bin('ansible-playbook'), '-i', join(local, 'inventory'), join(__dirname, 'ansible.yml')],
      {
        environment: {
          ANSIBLE_SSH_COMMON_ARGS: arguments_.join(' '),
          ANSIBLE_SSH_TRANSFER_METHOD: transfer,
          ANSIBLE_PIPELINING: String(pipelining),
          ANSIBLE_HOME: join(local, '.ansible'),
          ANSIBLE_SSH_CONTROL_PATH_DIR: local,
          ANSIBLE_REMOTE_TEMP: join(way.remote, '.ansible'),
          ANSIBLE_NOCOLOR: '1',
        },
      },
    );
    if (code !== 0) throw new Error(`Ansible ended with ${code}:\n${out}${err}`);
    seen[transfer] = JSON.parse(readFileSync(join(local, 'seen.json'), 'utf8'));
    await run(way, ['rm', '-rf', join(way.remote, 'up.bin'), join(way.remote, 'lines')]);
  }
  return { versions: { 'ansible-core': await versionOf(way, [bin('ansible'), '--version']) }, seen };
}
