import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../eventually';
import { freePort } from '../free-port';
import { isSshAt, makeKey } from './open-ssh-server';
import { endProcess, endServer, servingProcesses } from './server-process';

const DROPBEAR = ['/usr/sbin/dropbear', '/usr/local/sbin/dropbear'].find((path) => existsSync(path));
const WRAPPER = ['/usr/lib', '/usr/local/lib']
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => [folder, ...readdirSync(folder).map((name) => join(folder, name))])
  .map((folder) => join(folder, 'libnss_wrapper.so'))
  .find((path) => existsSync(path));

export function hasDropbear(): boolean {
  return DROPBEAR !== undefined && WRAPPER !== undefined;
}

/** Calls `describe`; without Dropbear or nss_wrapper, `describe.skip` with the reason in the name. */
export function describeWithDropbear(name: string, body: () => void): void {
  if (hasDropbear()) describe(name, body);
  else describe.skip(`${name} (skipped: Dropbear and libnss-wrapper are not installed here)`, body);
}

/** A real Dropbear server, which the account of the tests signs in to. */
export interface DropbearServer {
  readonly folder: string;
  secret(more?: Record<string, string>): Record<string, string>;
  close(): Promise<void>;
}

/**
 * Dropbear reads the keys of a user in the home folder alone. The library nss_wrapper shows it another home
 * folder, so that the one of the account stays as it is.
 */
export async function startDropbearServer(): Promise<DropbearServer> {
  if (DROPBEAR === undefined || WRAPPER === undefined) throw new Error('Dropbear is not installed');
  const folder = await mkdtemp(join(process.env['TEST_FOLDER'] ?? tmpdir(), 'gateway-dropbear-'));
  const home = join(folder, 'home');
  await mkdir(join(home, '.ssh'), { recursive: true, mode: 0o700 });
  const userKey = makeKey(folder, 'user-key');
  const hostKey = join(folder, 'host-key');
  execFileSync('dropbearkey', ['-t', 'ed25519', '-f', hostKey], { stdio: 'ignore' });
  const shown = execFileSync('dropbearkey', ['-y', '-f', hostKey], { encoding: 'utf8' });
  const [publicKey = ''] = /^ssh-ed25519 \S+/m.exec(shown) ?? [];
  const authorized = execFileSync('ssh-keygen', ['-y', '-f', join(folder, 'user-key')]);
  await writeFile(join(home, '.ssh', 'authorized_keys'), authorized, { mode: 0o600 });
  const { username, uid, gid } = userInfo();
  await writeFile(join(folder, 'passwd'), `${username}:x:${uid}:${gid}::${home}:/bin/sh\n`);
  await writeFile(join(folder, 'group'), `${username}:x:${gid}:\n`);
  const port = await freePort();
  const server: ChildProcess = spawn(DROPBEAR, ['-F', '-E', '-s', '-p', `127.0.0.1:${port}`, '-r', hostKey], {
    stdio: 'ignore',
    env: {
      ...process.env,
      LD_PRELOAD: WRAPPER,
      NSS_WRAPPER_PASSWD: join(folder, 'passwd'),
      NSS_WRAPPER_GROUP: join(folder, 'group'),
    },
  });
  await eventually('the SSH server listens', () => isSshAt(port));
  return {
    folder,
    secret: (more = {}) => ({
      HOST: '127.0.0.1',
      PORT: String(port),
      USER: username,
      PRIVATE_KEY: userKey,
      HOST_KEY: publicKey,
      ...more,
    }),
    close: async () => {
      const serving = servingProcesses(server);
      await endServer(server);
      for (const pid of serving) endProcess(pid);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
