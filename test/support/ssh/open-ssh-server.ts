import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../eventually';
import { freePort } from '../free-port';
import { endProcess, endServer, servingProcesses } from './server-process';

const SSHD = ['/usr/sbin/sshd', '/usr/local/sbin/sshd'].find((path) => existsSync(path));

export function hasSshd(): boolean {
  return SSHD !== undefined;
}

/** Calls `describe`; if no OpenSSH server is installed, `describe.skip` with the reason in the name. */
export function describeWithSshd(name: string, body: () => void): void {
  if (hasSshd()) describe(name, body);
  else describe.skip(`${name} (skipped: no OpenSSH server is installed here)`, body);
}

/** A real OpenSSH server, which the account of the tests signs in to. */
export interface OpenSshServer {
  readonly port: number;
  /** Folder of the test, in which scripts may leave files. */
  readonly folder: string;
  /** The user who signs in. */
  readonly user: string;
  /** Public host key, as a line of known_hosts. */
  readonly hostKey: string;
  readonly fingerprint: string;
  /** Private key with which the user signs in. */
  readonly userKey: string;
  /** Lets the user sign in with another key, too. */
  authorize(publicKey: string): void;
  /** Replaces the keys of user CAs whose certificates the server takes; none at first. */
  trustCas(lines: string): void;
  /** The log of the server so far. */
  log(): string;
  /** The secret of a connection to the server. `more` replaces fields; an empty text removes one. */
  secret(more?: Record<string, string>): Record<string, string>;
  /** Starts the server anew on its port, with another host key. */
  changeHostKey(): Promise<string>;
  close(): Promise<void>;
}

/** Makes a key pair with ssh-keygen. Returns the private key. */
export function makeKey(
  folder: string,
  name: string,
  { type = 'ed25519', passphrase = '', more = [] }: KeyOptions = {},
): string {
  const file = join(folder, name);
  execFileSync('ssh-keygen', ['-q', '-t', type, '-N', passphrase, '-C', name, '-f', file, ...more]);
  return readFileSync(file, 'utf8');
}

interface KeyOptions {
  readonly type?: string;
  readonly passphrase?: string;
  readonly more?: readonly string[];
}

/** @param settings further lines of sshd_config, which come first, so that they hold */
export async function startOpenSshServer(settings: readonly string[] = []): Promise<OpenSshServer> {
  if (SSHD === undefined) throw new Error('no OpenSSH server is installed');
  const folder = await mkdtemp(join(process.env['TEST_FOLDER'] ?? tmpdir(), 'gateway-sshd-'));
  // A server that is started as root needs this folder, which its service makes.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const userKey = makeKey(folder, 'user-key');
  await writeFile(join(folder, 'authorized_keys'), readFileSync(join(folder, 'user-key.pub')));
  const trusted = join(folder, 'trusted-cas');
  await writeFile(trusted, '');
  const port = await freePort();
  const { username: user } = userInfo();
  let log = '';
  let hostKeys = 0;
  let running: ChildProcess | undefined;
  /** Processes that serve clients, also of a server that has ended. */
  const serving = new Set<number>();

  const start = async (): Promise<void> => {
    const key = `host-key-${(hostKeys += 1)}`;
    makeKey(folder, key);
    const lines = [...settings, `HostKey ${join(folder, key)}`, ...configuration(folder, port)];
    await writeFile(join(folder, 'sshd_config'), `${lines.join('\n')}\n`);
    const server = spawn(SSHD, ['-D', '-e', '-f', join(folder, 'sshd_config')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
    running = server;
    await eventually('the SSH server listens', () => isSshAt(port));
  };
  const stop = async (): Promise<void> => {
    if (running === undefined) return;
    for (const pid of servingProcesses(running)) serving.add(pid);
    await endServer(running);
  };
  const hostKey = (): string => readFileSync(join(folder, `host-key-${hostKeys}.pub`), 'utf8').trim();
  const fingerprint = (): string =>
    execFileSync('ssh-keygen', ['-l', '-f', join(folder, `host-key-${hostKeys}.pub`)], {
      encoding: 'utf8',
    }).split(' ')[1] ?? '';

  await start();
  return {
    port,
    folder,
    user,
    hostKey: hostKey(),
    fingerprint: fingerprint(),
    userKey,
    authorize: (publicKey) => appendFileSync(join(folder, 'authorized_keys'), publicKey),
    trustCas: (lines) => writeFileSync(trusted, lines),
    log: () => log,
    secret: (more = {}) => {
      const secret = {
        HOST: '127.0.0.1',
        PORT: String(port),
        USER: user,
        PRIVATE_KEY: userKey,
        HOST_KEY: hostKey(),
        ...more,
      };
      return Object.fromEntries(Object.entries(secret).filter(([, value]) => value !== ''));
    },
    changeHostKey: async () => {
      await stop();
      await start();
      return fingerprint();
    },
    close: async () => {
      await stop();
      for (const pid of serving) endProcess(pid);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Whether a process runs. One that has ended, and was not collected by its parent, does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

function configuration(folder: string, port: number): string[] {
  return [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `AuthorizedKeysFile ${join(folder, 'authorized_keys')}`,
    `TrustedUserCAKeys ${join(folder, 'trusted-cas')}`,
    // Shells read start files of this folder, where there are none. Those of the person who runs the tests
    // could print, change PATH, or fail.
    `SetEnv HOME=${folder}`,
    'PidFile none',
    'PermitRootLogin yes',
    // The folder of the test is below one that others may write to.
    'StrictModes no',
    'UsePAM no',
    'PasswordAuthentication yes',
    'LogLevel VERBOSE',
    'MaxStartups 100',
  ];
}

/** Whether a server at the port identifies itself. */
export function isSshAt(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('data', () => (socket.destroy(), resolve(true)));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
}
