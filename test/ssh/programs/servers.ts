import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { PythonEnvironments } from '../../conformance/python';
import { eventually } from '../../support/eventually';
import { freePort } from '../../support/free-port';
import { hasDropbear, startDropbearServer } from '../../support/ssh/dropbear-server';
import { hasSshd, isSshAt, makeKey, startOpenSshServer } from '../../support/ssh/open-ssh-server';
import type { ProgramTarget } from './ways';

/** OpenSSH and the gateway have ten channels of a connection at most. */
const CHANNELS = 8;

/** A server of others, to which programs connect directly and through the gateway. */
interface ProgramServer {
  readonly name: ProgramTarget['name'];
  /** Returns the names of missing parts; undefined if none is. */
  absent(): Promise<string | undefined>;
  /** @param python returns an interpreter that has AsyncSSH */
  start(python: () => Promise<string>): Promise<ProgramTarget>;
}

const needs = (isThere: boolean, packages: string) => () =>
  Promise.resolve(isThere ? undefined : `its programs (Debian: ${packages})`);

export const SERVERS: readonly ProgramServer[] = [
  { name: 'OpenSSH', absent: needs(hasSshd(), 'openssh-server'), start: openSshTarget },
  { name: 'Dropbear', absent: needs(hasDropbear(), 'dropbear-bin, libnss-wrapper'), start: dropbearTarget },
  {
    name: 'AsyncSSH',
    absent: () => PythonEnvironments.absent(),
    start: async (python) => asyncSshTarget(await python()),
  },
];

async function openSshTarget(): Promise<ProgramTarget> {
  const server = await startOpenSshServer(['Subsystem sftp internal-sftp', 'AcceptEnv LC_*']);
  const hostKey = server.hostKey.split(' ').slice(0, 2).join(' ');
  return {
    ...server,
    hostKey,
    name: 'OpenSSH',
    channels: CHANNELS,
    keyFile: join(server.folder, 'user-key'),
    secret: () => server.secret(),
  };
}

async function dropbearTarget(): Promise<ProgramTarget> {
  const server = await startDropbearServer();
  const { PORT = '', USER = '', HOST_KEY = '' } = server.secret();
  const { folder } = server;
  return {
    name: 'Dropbear',
    // Version 2022.83 ends with a failed assertion when several channels end at a time, also directly.
    channels: 1,
    port: Number(PORT),
    user: USER,
    keyFile: join(folder, 'user-key'),
    hostKey: HOST_KEY,
    folder,
    secret: () => server.secret(),
    close: () => server.close(),
  };
}

/** @param python an interpreter that has AsyncSSH */
async function asyncSshTarget(python: string): Promise<ProgramTarget> {
  const folder = mkdtempSync(join(process.env['TEST_FOLDER'] ?? tmpdir(), 'gateway-asyncssh-'));
  const [hostKeyFile, keyFile] = [join(folder, 'host-key'), join(folder, 'user-key')];
  makeKey(folder, 'host-key');
  const userKey = makeKey(folder, 'user-key');
  const hostKey = readFileSync(`${hostKeyFile}.pub`, 'utf8').split(' ').slice(0, 2).join(' ');
  const port = await freePort();
  const { username: user } = userInfo();
  const home = join(folder, 'home');
  mkdirSync(home);
  const script = join(__dirname, 'python', 'asyncssh_server.py');
  const server: ChildProcess = spawn(python, [script, String(port), hostKeyFile, `${keyFile}.pub`], {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home, LANG: 'C.UTF-8' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await eventually('the SSH server listens', () => isSshAt(port));
  return {
    name: 'AsyncSSH',
    channels: CHANNELS,
    port,
    user,
    keyFile,
    hostKey,
    folder,
    secret: () => ({
      HOST: '127.0.0.1',
      PORT: String(port),
      USER: user,
      PRIVATE_KEY: userKey,
      HOST_KEY: hostKey,
    }),
    close: async () => {
      const closed = once(server, 'close');
      server.kill('SIGTERM');
      await closed;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
