import { randomUUID } from 'node:crypto';
import { access, chmod, copyFile, mkdir, readFile, readdir, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { platformName, type Host } from './host';
import { run, type RunResult } from './run-as';
import { refuseForeignFolder, type Residence } from './server-account';

/** Paths of the PostgreSQL programs. The user that will run them has run them once as a test. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
  /** For example `postgres (PostgreSQL) 18.4`. */
  readonly version: string;
}

/**
 * Finds the PostgreSQL programs in the npm package. Copies them next to the data if they cannot run in place:
 * the account cannot access the project's folder, or the package is read-only and lacks its symbolic links.
 */
export async function findBinaries(
  residence: Residence,
  host: Host,
  log: (line: string) => void,
): Promise<Binaries> {
  const source = host.packageRoot();
  if (source === undefined) throw unsupported('its package is not installed');
  const linked = await makeLinks(source);
  const inPlace = await trial(source, residence);
  if (linked && inPlace.ok) return programs(source, inPlace);
  // The file exists, but the system cannot find its loader (musl), so a copy would not work either.
  if (inPlace.errno === 'ENOENT') throw unsupported(inPlace.output);

  const copy = join(residence.home, `postgresql-${await versionOf(source)}`);
  if (await copyOnce(source, copy))
    log(`copied the PostgreSQL programs to ${copy}, for they cannot be used in ${source}`);
  const inCopy = await trial(copy, residence);
  if (inCopy.ok) return programs(copy, inCopy);
  await rm(copy, { recursive: true, force: true });
  throw unsupported(inCopy.output);
}

/**
 * Creates the symbolic links of the package. Its install script creates them, but npm may skip the script.
 * Returns false if a link is missing and cannot be created.
 */
async function makeLinks(root: string): Promise<boolean> {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(root, target);
    const made = symlink(relative(dirname(link), join(root, source)), link);
    const works = await made
      .catch(() => undefined)
      .then(() =>
        access(link).then(
          () => true,
          () => false,
        ),
      );
    if (!works) return false;
  }
  return true;
}

/**
 * Copies the programs if there is no copy. The rename at the end is atomic, so concurrent starts are safe.
 * Returns true if this call made the copy.
 */
async function copyOnce(source: string, copy: string): Promise<boolean> {
  const exists = await access(copy).then(
    () => true,
    () => false,
  );
  if (!exists) {
    const unfinished = `${copy}.${randomUUID()}`;
    await copyTree(join(source, 'native'), join(unfinished, 'native'));
    await makeLinks(unfinished);
    await chmod(unfinished, 0o755);
    await rename(unfinished, copy).catch(() => rm(unfinished, { recursive: true, force: true }));
  }
  await refuseForeignFolder(copy);
  return !exists;
}

/** Copies a folder. `fs.cp` would keep the modes of a strict umask and make relative links absolute. */
async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyTree(source, target);
    if (!entry.isFile() || entry.name.endsWith('.a')) continue;
    await copyFile(source, target);
    await chmod(target, 0o755);
  }
}

function trial(root: string, residence: Residence): Promise<RunResult> {
  return run(program(root, 'postgres'), ['--version'], residence.account);
}

function programs(root: string, trialRun: RunResult): Binaries {
  const [initdb, postgres, pgCtl] = [
    program(root, 'initdb'),
    program(root, 'postgres'),
    program(root, 'pg_ctl'),
  ];
  return { initdb, postgres, pgCtl, version: trialRun.output };
}

function program(root: string, name: string): string {
  return join(root, 'native', 'bin', process.platform === 'win32' ? `${name}.exe` : name);
}

async function versionOf(root: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  return manifest.version;
}

function unsupported(reason: string): Error {
  return new Error(
    `There is no embedded PostgreSQL for this platform (${platformName}): ${reason}. ` +
      'Set DATABASE_URL to a PostgreSQL server.',
  );
}
