import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../root';

const MIGRATIONS = 'src/platform/database/migrations';

/** An earlier version of this repository, from which a test upgrades gateways. */
export interface EarlierVersion {
  readonly commit: string;
  readonly subject: string;
}

/**
 * The version to upgrade from: `UPGRADE_FROM` (a commit or a tag), else the newest tag, else the last commit
 * without the newest migration. Returns an error message if git lacks the history.
 */
export function earlierVersion(): EarlierVersion | string {
  const named = process.env['UPGRADE_FROM'] || outputOf('describe', '--tags', '--abbrev=0', 'HEAD^');
  const files = readdirSync(join(ROOT, MIGRATIONS)).filter((file) => /^\d/.test(file));
  const newest = files.sort().at(-1) ?? '';
  // Follows renames, to find the commit that added the migration, not one that moved it.
  const adding = outputOf(
    'log',
    '--follow',
    '--diff-filter=A',
    '--format=%H',
    '--',
    `${MIGRATIONS}/${newest}`,
  );
  const commit = outputOf('rev-parse', '--verify', '--quiet', `${named ?? `${adding}^`}^{commit}`);
  if (commit === undefined) return 'git has no earlier commit here: fetch the history';
  return { commit, subject: outputOf('log', '-1', '--format=%s', commit) ?? '' };
}

/** Builds gateway and portal of a version in a new folder, as `npm ci && npm run build` would. */
export function buildEarlier({ commit }: EarlierVersion, folder: string): void {
  mkdirSync(folder);
  const archive = join(folder, 'version.tar');
  execFileSync('git', ['archive', '--format=tar', `--output=${archive}`, commit], { cwd: ROOT });
  execFileSync('tar', ['-xf', archive, '-C', folder]);
  rmSync(archive);
  if (sharesPackages(folder)) {
    for (const place of ['', 'portal'])
      if (existsSync(join(ROOT, place, 'node_modules')))
        symlinkSync(join(ROOT, place, 'node_modules'), join(folder, place, 'node_modules'));
  } else execFileSync('npm', ['ci', '--prefer-offline'], { cwd: folder, stdio: ['ignore', 'ignore', 2] });
  const run = (command: string, args: string[], cwd = folder): unknown =>
    execFileSync(command, args, { cwd, stdio: ['ignore', 2, 2] });
  run('npm', ['run', '--silent', 'build:unchecked']);
  // Builds the portal without npm, because the workspace link in shared packages leads to the portal of the
  // current version.
  const vite = join(folder, 'node_modules/vite/bin/vite.js');
  run(process.execPath, [vite, 'build', '--logLevel', 'error'], join(folder, 'portal'));
  run(process.execPath, ['scripts/compress-portal.mjs']);
}

/**
 * Whether the packages installed here match all entries of the folder's lock file. Then the folder can use
 * them, which saves an installation of several minutes.
 */
function sharesPackages(folder: string): boolean {
  const [theirs, ours] = [folder, ROOT].map((root) => lockedIn(root)) as [Locked, Locked];
  return Object.entries(theirs).every(
    ([path, { version, link }]) => link === true || path === '' || version === ours[path]?.version,
  );
}

type Locked = Record<string, { readonly version?: string; readonly link?: boolean }>;

function lockedIn(root: string): Locked {
  return (JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Locked }).packages;
}

function outputOf(...args: string[]): string | undefined {
  try {
    return (
      execFileSync('git', args, {
        cwd: ROOT,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim() || undefined
    );
  } catch {
    return undefined;
  }
}
