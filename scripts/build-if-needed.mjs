// Builds when dist/ is missing or older than a source, so that `npm start` and `npm test` need no separate
// build.
import { execSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const lock = join(dist, '.building');
/**
 * Build outputs and their sources. This build does not check types, because that takes longer than the rest
 * of a build and makes the same files. `npm run check` checks them.
 */
const parts = [
  {
    commands: ['npm run --silent build:unchecked'],
    stamp: join(dist, '.built'),
    sources: [
      'src',
      'ormconfig.ts',
      'package.json',
      'package-lock.json',
      'tsconfig.json',
      'tsconfig.build.json',
      'nest-cli.json',
      'scripts/bundle.mjs',
    ],
  },
  {
    commands: ['npm run --silent build --workspace portal', 'node scripts/compress-portal.mjs'],
    stamp: join(dist, '.built-portal'),
    sources: [
      'portal/src',
      'portal/public',
      'portal/index.html',
      'portal/package.json',
      'portal/vite.config.ts',
      'src/kernel/text/hidden-characters.ts',
      'src/sessions/reading/rendering/csv-text.ts',
      'package-lock.json',
      'scripts/compress-portal.mjs',
    ],
  },
  {
    commands: ['node scripts/bundle-cli.mjs'],
    stamp: join(dist, '.built-cli'),
    sources: [
      'clients/cli/src',
      'clients/cli/package.json',
      'clients/cli/tsconfig.json',
      'clients/typescript/src',
      'src/sessions/evidence',
      'package-lock.json',
      'scripts/bundle-cli.mjs',
    ],
  },
  {
    commands: ['npm run --silent build --workspace clients/typescript'],
    stamp: join(dist, '.built-client'),
    sources: [
      'clients/typescript/src',
      'clients/typescript/package.json',
      'clients/typescript/tsconfig.json',
      'package-lock.json',
    ],
  },
];

function newest(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function isStale({ stamp, sources }) {
  const builtAt = existsSync(stamp) ? statSync(stamp).mtimeMs : 0;
  return sources.some((source) => newest(join(root, source)) > builtAt);
}

/** Allows one build at a time. Otherwise `npm start` and `npm test` could load half-written files. */
async function takeLock() {
  mkdirSync(dist, { recursive: true });
  for (;;) {
    try {
      return writeFileSync(lock, String(process.pid), { flag: 'wx' });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (!holderIsAlive()) rmSync(lock, { force: true });
    else await delay(100);
  }
}

function holderIsAlive() {
  try {
    const pid = Number(readFileSync(lock, 'utf8'));
    // An empty lock is just being written, unless its writer was killed at this point.
    if (pid === 0) return Date.now() - statSync(lock).mtimeMs < 1000;
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function build({ commands, stamp }) {
  const startedAt = new Date();
  for (const command of commands) execSync(command, { cwd: root, stdio: 'inherit' });
  writeFileSync(stamp, '');
  // Uses the start time, because a source that changed during the build may not be in the build.
  utimesSync(stamp, startedAt, startedAt);
}

/** `--others` builds all parts except the gateway, which `npm run build` has built with its types checked. */
const isDue = (part) => (process.argv.includes('--others') ? part !== parts[0] : isStale(part));

if (parts.some(isDue)) {
  await takeLock();
  try {
    for (const part of parts.filter(isDue)) build(part);
  } catch {
    // The compiler has already printed the errors.
    process.exitCode = 1;
  } finally {
    rmSync(lock, { force: true });
  }
}
