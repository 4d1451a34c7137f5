// npm run test:faults: runs the long form of test/recording/ledger.e2e-spec.ts and standby.kills-spec.ts in
// each recording mode. Prints a table that compares the counts of clients with the recordings, and the sums
// as JSON on the last line. Fails if anything was lost, duplicated, torn or left open.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const {
  RECORDING_MODE,
  LEDGER_KILLS = '50',
  LEDGER_DATABASE_KILLS = '10',
  LEDGER_FAILOVERS = '10',
} = process.env;
const { LEDGER_SEED = randomBytes(4).toString('hex') } = process.env;
const MODES = RECORDING_MODE ? [RECORDING_MODE] : ['journal', 'journal+fsync', 'store'];
const FAULTS = ['lost', 'duplicated', 'torn', 'left_open'];
const COLUMNS = ['mode', 'killed', 'kills', 'sent', 'acknowledged', 'sessions', 'events', ...FAULTS];

const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
const folder = mkdtempSync(join(tmpdir(), 'gateway-faults-'));

/** Runs the specs in one recording mode. Returns their figures even if the specs fail. */
function run(mode) {
  const report = join(folder, 'report.jsonl');
  const { status } = spawnSync(
    process.execPath,
    [jest, '--testRegex', '(e2e|kills)-spec\\.ts$', '-i', 'test/recording/ledger', 'test/recording/standby'],
    {
      cwd: join(import.meta.dirname, '..'),
      env: {
        ...process.env,
        LEDGER_KILLS,
        LEDGER_DATABASE_KILLS,
        LEDGER_FAILOVERS,
        LEDGER_SEED,
        LEDGER_REPORT: report,
        RECORDING_MODE: mode,
      },
      // Standard output is for the figures.
      stdio: ['ignore', 2, 'inherit'],
    },
  );
  const lines = readLines(report);
  rmSync(report, { force: true });
  return { passed: status === 0, rows: lines.map((line) => ({ mode, ...line })) };
}

function readLines(file) {
  try {
    return readFileSync(file, 'utf8').trim().split('\n').map(JSON.parse);
  } catch {
    // The specs ended before they wrote a report.
    return [];
  }
}

function print(rows) {
  const cells = [COLUMNS, ...rows.map((row) => COLUMNS.map((name) => String(row[name])))];
  const widths = COLUMNS.map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  console.log(`seed ${LEDGER_SEED}, Node ${process.versions.node}\n`);
  for (const row of cells) console.log(row.map((cell, column) => cell.padStart(widths[column])).join('  '));
  console.log('\nanswers');
  for (const { mode, killed, answers } of rows)
    console.log(`  ${mode}, ${killed}: ${JSON.stringify(answers)}`);
  console.log();
}

const runs = MODES.map(run);
rmSync(folder, { recursive: true, force: true });
const rows = runs.flatMap(({ rows }) => rows);
const sum = (name, of = rows) => of.reduce((total, row) => total + row[name], 0);
const kills = (killed) =>
  sum(
    'kills',
    rows.filter((row) => row.killed === killed),
  );
print(rows);
console.log(
  JSON.stringify({
    faults: 'sessions',
    seed: LEDGER_SEED,
    modes: MODES,
    kills: kills('gateway'),
    wire_kills: kills('gateway (wire)'),
    database_kills: kills('database'),
    failovers: kills('database with standby'),
    sent: sum('sent'),
    acknowledged: sum('acknowledged'),
    ...Object.fromEntries(FAULTS.map((fault) => [fault, sum(fault)])),
  }),
);
const isFlawless = runs.every(({ passed }) => passed) && FAULTS.every((fault) => sum(fault) === 0);
process.exitCode = isFlawless ? 0 : 1;
