import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exchange } from '../../support/ssh/forwarded';
import { type CommandLine, IN_TERMINAL, commands, plain, upload } from './command-checks';
import { type Outcome, run, sumOf, versionOf } from './running';
import type { SshWay } from './ways';

/** Environment in which OpenSSH's programs get the password. */
export function askpass({ local, password = '' }: SshWay): Record<string, string> {
  const file = join(local, 'askpass');
  writeFileSync(file, '#!/bin/sh\nprintf "%s\\n" "$SSH_TEST_PASSWORD"\n');
  chmodSync(file, 0o700);
  return { SSH_ASKPASS: file, SSH_ASKPASS_REQUIRE: 'force', SSH_TEST_PASSWORD: password, DISPLAY: 'none' };
}

/** Options of ssh, scp and sftp. */
export function openSshOptions({ local, keyFile }: SshWay, more: readonly string[] = []): string[] {
  const options = [
    `UserKnownHostsFile=${join(local, 'known_hosts')}`,
    'GlobalKnownHostsFile=/dev/null',
    'NumberOfPasswordPrompts=1',
    'LogLevel=ERROR',
    ...(keyFile === undefined
      ? ['PubkeyAuthentication=no']
      : ['IdentitiesOnly=yes', `IdentityFile=${keyFile}`]),
    ...more,
  ];
  return ['-F', '/dev/null', ...options.flatMap((option) => ['-o', option])];
}

function destination({ port, user }: SshWay): string[] {
  return ['-p', String(port), `${user}@127.0.0.1`];
}

/** ssh, scp and sftp of OpenSSH. */
export async function withOpenSsh(way: SshWay): Promise<Outcome> {
  const ssh: CommandLine = (command) => ['ssh', ...openSshOptions(way), ...destination(way), command];
  const environment = { ...askpass(way), TERM: 'vt100' };
  const terminal = await run(way, ['ssh', ...openSshOptions(way), '-tt', ...destination(way), IN_TERMINAL], {
    environment,
  });
  return {
    versions: { OpenSSH: await versionOf(way, ['ssh', '-V']) },
    seen: {
      ...(await commands(way, ssh, environment)),
      terminal: plain(terminal, way),
      ...(await overOneConnection(way)),
      'scp -s': await copies(way, '-s'),
      'scp -O': await copies(way, '-O'),
      sftp: await sftpBatch(way),
    },
  };
}

/** Many commands, and forwards both ways, over one connection. */
async function overOneConnection(way: SshWay): Promise<Record<string, unknown>> {
  const options = ['ControlMaster=auto', 'ControlPersist=yes', `ControlPath=${way.local}/c`];
  const line = ['ssh', ...openSshOptions(way, options), ...destination(way)];
  const ssh = (...args: string[]) =>
    run(way, [...line, ...args], { environment: askpass(way), input: 'there' });
  await ssh('true');
  const numbers = Array.from({ length: way.channels }, (_, number) => number);
  const channels = await Promise.all(numbers.map((number) => ssh(`sleep 1; echo ${number}; exit ${number}`)));
  const reverse = await ssh('-O', 'forward', '-R', `127.0.0.1:0:127.0.0.1:${way.echoPort}`);
  const reversed = await exchange({ host: '127.0.0.1', port: Number(reverse.out.trim()) }, 'back');
  const forward = await ssh('-W', `127.0.0.1:${way.echoPort}`);
  const refused = await ssh('-W', '127.0.0.1:1');
  await ssh('-O', 'exit');
  return {
    channels: channels.map((end) => plain(end, way)),
    forwards: [reversed.toString(), plain(forward, way), refused.code],
  };
}

async function copies(way: SshWay, protocol: '-s' | '-O'): Promise<unknown[]> {
  const { port, user, remote, local } = way;
  const at = `${user}@127.0.0.1`;
  const scp = (...args: string[]) =>
    run(way, ['scp', ...openSshOptions(way), '-P', String(port), protocol, ...args], {
      environment: askpass(way),
    });
  const ends = [
    await scp(upload(way), `${at}:${remote}/copy.bin`),
    await scp('-p', `${at}:${remote}/copy.bin`, `${local}/copy.bin`),
    await scp(`${at}:${remote}/missing`, `${local}/missing`),
  ];
  return [...ends.map((end) => plain(end, way)), sumOf(`${local}/copy.bin`)];
}

async function sftpBatch(way: SshWay): Promise<unknown[]> {
  const { port, user, remote, local } = way;
  const steps = [
    `cd ${remote}`,
    'mkdir sub',
    `put ${upload(way)} sub/a.bin`,
    'symlink a.bin sub/link',
    'ln sub/a.bin sub/hard',
    'chmod 640 sub/hard',
    '-get missing',
    '-rmdir sub',
    'ls -1 sub',
    `get -a sub/a.bin ${local}/down.bin`,
    'rm sub/*',
    'rmdir sub',
    'rm copy.bin',
    'ls -1',
  ];
  // A batch asks for no password, unless an option before it allows that.
  const options = openSshOptions(way, ['BatchMode=no']);
  const sftp = ['sftp', ...options, '-P', String(port), '-b', '-', `${user}@127.0.0.1`];
  const end = await run(way, sftp, { environment: askpass(way), input: steps.join('\n') });
  return [...plain(end, way), sumOf(`${local}/down.bin`)];
}

/** lftp, which runs ssh and speaks SFTP itself. */
export async function withLftp(way: SshWay): Promise<Outcome> {
  const { port, user, local, remote, password = 'none' } = way;
  const ssh = ['ssh', '-a', '-x', ...openSshOptions(way)].join(' ');
  const steps = [
    `set sftp:connect-program "${ssh}"`,
    'set net:max-retries 1; set net:timeout 60; set cmd:fail-exit no',
    `open -p ${port} -u "${user},${password}" sftp://127.0.0.1`,
    `put ${upload(way)} -o ${remote}/a.bin`,
    `mkdir ${remote}/sub`,
    `mv ${remote}/a.bin ${remote}/sub/b.bin`,
    `pget -n 4 ${remote}/sub/b.bin -o ${local}/down.bin`,
    `cls -1 ${remote}/sub`,
    `get ${remote}/missing`,
    `rm ${remote}/sub/b.bin`,
    `rmdir ${remote}/sub`,
    `cls -1 ${remote}`,
  ];
  const end = await run(way, ['lftp', '--norc', '-c', steps.join('\n')]);
  return {
    versions: { lftp: await versionOf(way, ['lftp', '--version']) },
    seen: { files: [...plain(end, way), sumOf(`${local}/down.bin`)] },
  };
}

/** sshfs: a folder of the server as a folder here. */
export async function withSshfs(way: SshWay): Promise<Outcome> {
  const { port, user, local, remote, password = '' } = way;
  const place = join(local, 'mounted');
  mkdirSync(place);
  const options = openSshOptions(way).filter(
    (word) => word !== '-o' && word !== '-F' && word !== '/dev/null',
  );
  const mounted = await run(
    way,
    [
      'sshfs',
      ...options.flatMap((option) => ['-o', option]),
      ...(way.keyFile === undefined ? ['-o', 'password_stdin'] : []),
      '-p',
      String(port),
      `${user}@127.0.0.1:${remote}`,
      place,
    ],
    { input: `${password}\n` },
  );
  const steps = [
    `cp ${upload(way)} m/a.bin`,
    'sha256sum m/a.bin',
    'mkdir m/sub && mv m/a.bin m/sub/b.bin && ln -s b.bin m/sub/link',
    'echo more >> m/sub/b.bin && stat -c %s m/sub/link && truncate -s 3 m/sub/b.bin && wc -c m/sub/b.bin',
    'cat m/missing',
    'ls m/sub',
    'rm -r m/sub',
    'ls m',
  ].map((step) => step.replaceAll(/\bm(?=\/|$)/g, place));
  const used = await run(way, ['sh', '-c', steps.join('\n')]);
  await run(way, ['fusermount3', '-u', place]);
  return {
    versions: { sshfs: await versionOf(way, ['sh', '-c', 'sshfs --version | grep -i sshfs']) },
    seen: { mounted: plain(mounted, way), used: plain(used, way) },
  };
}
