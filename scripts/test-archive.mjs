// npm run test:archive: runs the long form of test/archive/moves.kills-spec.ts with moto (PyPI, moto[server])
// and with versitygw (Go), which it installs into a temporary folder. Prints the steps and, as its last line,
// the sums as JSON. Fails if a step was not reached, or if anything was lost, doubled or cannot be verified.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MOTO = 'moto[server]==5.2.5';
const VERSITYGW = 'github.com/versity/versitygw/cmd/versitygw@v1.8.0';
const root = join(import.meta.dirname, '..');
const { ARCHIVE_KILLS = '300', ARCHIVE_SEED = randomBytes(4).toString('hex') } = process.env;
const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
const folder = mkdtempSync(join(tmpdir(), 'gateway-archive-'));
// Standard output is for the figures.
const quiet = { stdio: ['ignore', 2, 2] };

/** Functions that install the programs, by the variable that can give the path of an installed program. */
const programs = {
  ARCHIVE_MOTO: () => {
    const venv = join(folder, 'venv');
    if (spawnSync('python3', ['-m', 'venv', venv], quiet).status !== 0) return undefined;
    spawnSync(join(venv, 'bin', 'python'), ['-m', 'pip', 'install', '-q', MOTO], quiet);
    return join(venv, 'bin', 'moto_server');
  },
  ARCHIVE_VERSITYGW: () => {
    spawnSync('go', ['install', VERSITYGW], { ...quiet, env: { ...process.env, GOBIN: folder } });
    return join(folder, 'versitygw');
  },
};
const found = Object.entries(programs)
  .map(([name, install]) => [name, process.env[name] ?? install()])
  .filter(([, program]) => program !== undefined && existsSync(program));
for (const name of Object.keys(programs))
  if (!found.some(([one]) => one === name)) console.log(`${name} cannot be installed here, and is left out`);
if (found.length === 0) console.log('the bucket of the tests stands in for them');

const { ARCHIVE_MOTO: _, ARCHIVE_VERSITYGW: __, ...env } = process.env;
const report = join(folder, 'report.jsonl');
let isRight = true;
for (const program of found.length > 0 ? found : [[]]) {
  const { status } = spawnSync(
    process.execPath,
    // The path comes first, because `--testRegex` accepts all arguments after it.
    [jest, 'test/archive/moves', '--testRegex', 'kills-spec\\.ts$'],
    {
      cwd: root,
      env: {
        ...env,
        ARCHIVE_KILLS,
        ARCHIVE_SEED,
        ARCHIVE_REPORT: report,
        ...(program.length > 0 && Object.fromEntries([program])),
      },
      stdio: ['ignore', 2, 'inherit'],
    },
  );
  isRight &&= status === 0;
}
const lines = existsSync(report) ? readFileSync(report, 'utf8').trim().split('\n') : [];
rmSync(folder, { recursive: true, force: true });
const runs = lines.map((line) => JSON.parse(line));
for (const { bucket, steps } of runs)
  for (const [step, count] of Object.entries(steps).sort(([one], [other]) => one.localeCompare(other)))
    console.log(`${bucket.padEnd(10)} ${String(count).padStart(4)}  ${step}`);
const sums = runs.map(({ steps: _steps, ...run }) => run);
console.log(JSON.stringify({ archive: 'kills', seed: ARCHIVE_SEED, runs: sums }));
process.exitCode = isRight && runs.length === Math.max(found.length, 1) ? 0 : 1;
