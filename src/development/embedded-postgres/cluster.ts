import { randomBytes } from 'node:crypto';
import {
  lchown,
  link,
  mkdtemp,
  open,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import type { Binaries } from './binaries';
import { processIsAlive } from './postmaster-pid';
import { run } from './run-as';
import type { Residence } from './server-account';

export const SUPERUSER = 'gateway';

/** A PostgreSQL data folder that `initdb` has completed, and the password of the superuser. */
export interface Cluster {
  readonly folder: string;
  readonly password: string;
}

const UNFINISHED = '.postgres-init-';
const FORGOTTEN_AFTER_MS = 10 * 60_000;

/**
 * Returns the cluster (data folder) in `<home>/postgres`, and creates it if there is none.
 *
 * initdb works in a temporary folder, which is renamed when it is complete. So a start that is killed leaves
 * no incomplete cluster, and of two parallel first starts, the second uses the cluster of the first.
 */
export async function openCluster(
  residence: Residence,
  binaries: Binaries,
  durable: boolean,
  log: (line: string) => void,
): Promise<Cluster> {
  const folder = join(residence.home, 'postgres');
  await removeUnfinished(residence.home);
  const passwordFile = join(residence.home, 'postgres.password');
  if (await holdsCluster(folder)) return { folder, password: await existingPassword(passwordFile, folder) };

  const password = await agreedPassword(passwordFile);
  log(`creating the database cluster in ${folder}`);
  const workshop = await mkdtemp(join(residence.home, `${UNFINISHED}${process.pid}-`));
  try {
    await initdb(workshop, password, residence, binaries, durable);
    await promote(join(workshop, 'data'), folder);
    if (durable) await syncFolder(residence.home);
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
  return { folder, password };
}

async function initdb(
  workshop: string,
  password: string,
  { account }: Residence,
  binaries: Binaries,
  durable: boolean,
): Promise<void> {
  const passwordFile = join(workshop, 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (account !== undefined) {
    await lchown(passwordFile, account.uid, account.gid);
    await lchown(workshop, account.uid, account.gid);
  }
  const args = ['-D', join(workshop, 'data'), `--username=${SUPERUSER}`, `--pwfile=${passwordFile}`];
  args.push('--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--locale-provider=builtin');
  args.push('--builtin-locale=C.UTF-8', '--no-instructions', ...(durable ? [] : ['--no-sync']));
  const result = await run(binaries.initdb, args, account);
  if (!result.ok) throw new Error(`PostgreSQL could not create its data folder:\n${result.output}`);
}

async function promote(finished: string, folder: string): Promise<void> {
  try {
    await rename(finished, folder);
  } catch (error) {
    if (await holdsCluster(folder)) return;
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    throw new Error(`${folder} is not empty, yet holds no PostgreSQL data. Empty it, or set DATA_DIR.`, {
      cause: error,
    });
  }
}

async function holdsCluster(folder: string): Promise<boolean> {
  try {
    await stat(join(folder, 'PG_VERSION'));
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw new Error(
      `The database in ${folder} cannot be read: it belongs to another OS user. ` +
        'Start the gateway as the user who made it, or set DATA_DIR.',
      { cause },
    );
  }
}

async function existingPassword(file: string, folder: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new Error(
      `The password of the database in ${folder} cannot be read from ${file}. ` +
        'Put that file back; or, to begin with an empty database, remove the folder.',
      { cause: error },
    );
  }
}

/** Creates the password file at most once, so that two parallel first starts use the same password. */
async function agreedPassword(file: string): Promise<string> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, randomBytes(24).toString('hex'), { mode: 0o600, flag: 'wx', flush: true });
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft, { force: true });
  return readFile(file, 'utf8');
}

/**
 * Removes temporary folders of starts that were killed. An old folder is removed even if a live process has
 * its pid, because in a container this process may have the pid of the killed one.
 */
async function removeUnfinished(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    if (!name.startsWith(UNFINISHED)) continue;
    const pid = Number.parseInt(name.slice(UNFINISHED.length), 10);
    const age =
      Date.now() -
      (await stat(join(home, name)).then(
        (found) => found.mtimeMs,
        () => Date.now(),
      ));
    if (processIsAlive(pid) && age < FORGOTTEN_AFTER_MS) continue;
    await rm(join(home, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
}

/** Makes the rename durable. Otherwise a power cut could undo it, and all later writes would be lost. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
