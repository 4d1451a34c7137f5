import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const PROGRAMS = '/usr/lib/postgresql';
const OLDEST = 15;

/**
 * Returns the folder with initdb, pg_ctl, pg_basebackup and other programs of the newest installed version;
 * undefined if there is none. The embedded PostgreSQL is not enough, because it has no programs for backups.
 */
export function serverPrograms(): string | undefined {
  if (!existsSync(PROGRAMS)) return undefined;
  const versions = readdirSync(PROGRAMS)
    .map(Number)
    .filter((version) => version >= OLDEST);
  const folders = versions.sort((a, b) => b - a).map((version) => join(PROGRAMS, String(version), 'bin'));
  return folders.find(
    (folder) => existsSync(join(folder, 'pg_basebackup')) && existsSync(join(folder, 'initdb')),
  );
}

/** Returns the user that runs the server if this process is root; otherwise undefined. */
export function debianAccount(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (option: string): number =>
    Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
