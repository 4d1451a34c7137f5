// A real OpenSSH server with a file to download.
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { onEnd } from '../kit/ends.mjs';
import { answers, freePort } from '../kit/ports.mjs';

const SSHD = ['/usr/sbin/sshd', '/usr/local/sbin/sshd'].find((path) => existsSync(path));

/** Makes a pair of keys. Returns the path of the private one. */
export function makeKey(folder, name) {
  const file = join(folder, name);
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', file]);
  return file;
}

/**
 * @param megabytes sizes of the files, by name
 * @throws when no OpenSSH server is installed
 */
export async function startServer(folder, megabytes) {
  if (SSHD === undefined) throw new Error('no OpenSSH server is installed (Debian: openssh-server)');
  if (process.getuid() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const hostKeyFile = makeKey(folder, 'host-key');
  const keyFile = makeKey(folder, 'user-key');
  copyFileSync(`${keyFile}.pub`, join(folder, 'authorized_keys'));
  const port = await freePort();
  const settings = {
    Port: port,
    ListenAddress: '127.0.0.1',
    HostKey: hostKeyFile,
    AuthorizedKeysFile: join(folder, 'authorized_keys'),
    PidFile: 'none',
    PermitRootLogin: 'yes',
    StrictModes: 'no',
    UsePAM: 'no',
    MaxStartups: '4000',
    MaxSessions: '4000',
    Subsystem: 'sftp internal-sftp',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} ${value}`);
  writeFileSync(join(folder, 'sshd_config'), `${lines.join('\n')}\n`);
  const child = spawn(SSHD, ['-D', '-e', '-f', join(folder, 'sshd_config')], {
    stdio: 'ignore',
  });
  const ended = once(child, 'close');
  onEnd(async () => {
    child.kill();
    await ended;
  });
  await answers(port, () => child.exitCode === null);
  return {
    port,
    user: userInfo().username,
    keyFile,
    hostKey: readFileSync(`${hostKeyFile}.pub`, 'utf8').split(' ').slice(0, 2).join(' '),
    files: { text: textOf(folder, megabytes.text), binary: binaryOf(folder, megabytes.binary) },
    folder,
  };
}

/** Lines of a log, which are ASCII. */
function textOf(folder, megabytes) {
  const line = (number) => `2026-11-30T10:00:00.000Z host-${number % 97} request ${number} took 12 ms\n`;
  const megabyte = Array.from({ length: 20_000 }, (_, number) => line(number))
    .join('')
    .slice(0, 1_000_000);
  return repeated(join(folder, 'large.txt'), megabyte, megabytes);
}

/** Bytes that are no text. */
function binaryOf(folder, megabytes) {
  return repeated(join(folder, 'large.bin'), randomBytes(1_000_000), megabytes);
}

function repeated(file, megabyte, megabytes) {
  for (let written = 0; written < megabytes; written += 1) appendFileSync(file, megabyte);
  return file;
}
