// npm run test:archive: the long form of test/archive/kills.e2e-spec.ts, against moto (PyPI, moto[server]), which is installed into a folder of
// its own. Prints what was done and, as its last line, the sums as JSON; fails unless nothing was lost, doubled or cannot be verified.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MOTO = 'moto[server]==5.2.5';
const root = join(import.meta.dirname, '..');
const { ARCHIVE_KILLS = '300', ARCHIVE_SEED = randomBytes(4).toString('hex') } = process.env;
const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
const folder = mkdtempSync(join(tmpdir(), 'gateway-archive-'));

/** The program of moto, installed where it is not given; undefined where that is not possible. */
function motoProgram() {
  if (process.env.ARCHIVE_MOTO) return process.env.ARCHIVE_MOTO;
  const venv = join(folder, 'venv');
  const python = join(venv, 'bin', 'python');
  const isMade = spawnSync('python3', ['-m', 'venv', venv], { stdio: ['ignore', 2, 2] }).status === 0;
  const isInstalled =
    isMade &&
    spawnSync(python, ['-m', 'pip', 'install', '-q', MOTO], { stdio: ['ignore', 2, 2] }).status === 0;
  const program = join(venv, 'bin', 'moto_server');
  return isInstalled && existsSync(program) ? program : undefined;
}

const moto = motoProgram();
if (moto === undefined)
  console.log(`${MOTO} cannot be installed here: the bucket of the tests stands in for it`);
const report = join(folder, 'report.jsonl');
const { status } = spawnSync(process.execPath, [jest, 'test/archive/kills'], {
  cwd: root,
  env: {
    ...process.env,
    ARCHIVE_KILLS,
    ARCHIVE_SEED,
    ARCHIVE_REPORT: report,
    ...(moto !== undefined && { ARCHIVE_MOTO: moto }),
  },
  // Standard output is for the figures.
  stdio: ['ignore', 2, 'inherit'],
});
const text = existsSync(report) ? readFileSync(report, 'utf8').trim() : '';
rmSync(folder, { recursive: true, force: true });
if (text !== '') {
  const { steps, ...sums } = JSON.parse(text);
  for (const [step, count] of Object.entries(steps).sort(([one], [other]) => one.localeCompare(other)))
    console.log(`${String(count).padStart(4)}  ${step}`);
  console.log(JSON.stringify({ archive: 'kills', seed: ARCHIVE_SEED, ...sums }));
}
process.exitCode = status === 0 && text !== '' ? 0 : 1;
