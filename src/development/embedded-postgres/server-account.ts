import { createHash } from 'node:crypto';
import { access, chmod, constants, lstat, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Host } from './host';
import { run, type Account } from './run-as';

/** The OS user that runs PostgreSQL, and the folder for its data. */
export interface Residence {
  /** undefined: PostgreSQL runs as the OS user of the gateway. */
  readonly account: Account | undefined;
  /** The data folder: the requested one, or its fallback, with symbolic links resolved. */
  readonly home: string;
}

/**
 * Chooses the user and the folder from the files on the disk, so that every start chooses the same. Existing
 * data are used where they are, as the user that owns them, even if the machine has changed since.
 */
export async function findResidence(
  dataDir: string,
  host: Host,
  log: (line: string) => void,
): Promise<Residence> {
  const wanted = await writableFolder(dataDir);
  if (!host.isRoot) return { account: undefined, home: wanted };

  const fallback = fallbackFor(wanted, host);
  const inWanted = await ownerOf(join(wanted, 'postgres'));
  const inFallback = await ownerOf(join(fallback, 'postgres'));
  const account = (await accountOfOwner(inWanted ?? inFallback)) ?? (await unprivilegedAccount(host));
  log(
    `running as root, so PostgreSQL runs as the OS user ${account.name}, who owns only its own data folder`,
  );

  if (inFallback === undefined || inWanted !== undefined) {
    if (await reachable(wanted, account)) return { account, home: wanted };
    if (inWanted !== undefined) throw unreachable(wanted, account);
  }
  await makeFolder(fallback);
  await refuseForeignFolder(fallback);
  if (!(await reachable(fallback, account))) throw unreachable(wanted, account);
  log(`the OS user ${account.name} cannot reach ${wanted}: the database lives in ${fallback} instead`);
  return { account, home: fallback };
}

/**
 * Throws if another user may change the content of the folder, because programs in it are run and it contains
 * a password.
 */
export async function refuseForeignFolder(folder: string): Promise<void> {
  if (process.getuid === undefined) return;
  const found = await lstat(folder);
  if (found.isDirectory() && found.uid === process.getuid() && (found.mode & 0o022) === 0) return;
  throw new Error(`${folder} belongs to, or is writable by, another OS user. Remove it, or set DATA_DIR.`);
}

async function writableFolder(dataDir: string): Promise<string> {
  try {
    await makeFolder(dataDir);
    await access(dataDir, constants.W_OK);
    return await realpath(dataDir);
  } catch (cause) {
    throw new Error(`The data folder ${dataDir} cannot be written. Set DATA_DIR to one that can.`, { cause });
  }
}

/** Creates the missing folders of a path. All users may pass through them, even with a strict umask. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return;
  for (let made = resolve(folder); made.length >= first.length; made = dirname(made))
    await chmod(made, 0o755);
}

function fallbackFor(wanted: string, host: Host): string {
  const key = createHash('sha256').update(wanted).digest('hex').slice(0, 12);
  return join(host.fallbackRoot, `access-gateway-${key}`);
}

async function ownerOf(cluster: string): Promise<{ uid: number; gid: number } | undefined> {
  const holdsData = await stat(join(cluster, 'PG_VERSION')).catch(() => undefined);
  return holdsData === undefined ? undefined : stat(cluster);
}

async function accountOfOwner(owner?: { uid: number; gid: number }): Promise<Account | undefined> {
  if (owner === undefined || owner.uid === 0) return undefined;
  const name = await run('id', ['-un', String(owner.uid)]);
  return { name: name.ok ? name.output : String(owner.uid), uid: owner.uid, gid: owner.gid };
}

async function unprivilegedAccount(host: Host): Promise<Account> {
  const account = (await host.findAccount('postgres')) ?? (await host.findAccount('nobody'));
  if (account !== undefined && account.uid !== 0) return account;
  throw new Error(
    'PostgreSQL refuses to run as root and there is no OS user "postgres" or "nobody" to run it as. ' +
      'Start the gateway as an ordinary user, or set DATABASE_URL to a PostgreSQL server.',
  );
}

/** Tests access by entering the folder as the user, because mode bits do not show ACLs and mount options. */
async function reachable(folder: string, account: Account): Promise<boolean> {
  return (await run('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], account)).ok;
}

function unreachable(folder: string, account: Account): Error {
  return new Error(
    `The OS user ${account.name}, as whom PostgreSQL runs, cannot reach ${folder}. ` +
      'Set DATA_DIR to a folder that user can pass into, or start the gateway as an ordinary user.',
  );
}
