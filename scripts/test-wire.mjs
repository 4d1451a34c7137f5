// npm run test:wire: runs the long form of test/postgres/pipelines.e2e-spec.ts and
// test/postgres/malformed.e2e-spec.ts, and the third-party programs of test/postgres/programs. Prints the
// results of each as a line of JSON, and the sums on the last line. Fails if an answer differed, or if a
// connection hung or was refused.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { WIRE_PIPELINES = '2000', WIRE_MESSAGES = '200000', WIRE_SEED = String(randomInt(1e9)) } = process.env;

const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
const folder = mkdtempSync(join(tmpdir(), 'gateway-wire-'));
const report = join(folder, 'report.jsonl');
// The files run one after the other, so that the time-outs of one do not depend on another.
const { status } = spawnSync(
  process.execPath,
  [
    jest,
    '--testRegex',
    '(e2e|programs)-spec\\.ts$',
    '--runInBand',
    ...['pipelines', 'malformed', 'programs'].map((name) => `test/postgres/${name}`),
  ],
  {
    cwd: join(import.meta.dirname, '..'),
    env: { ...process.env, WIRE_PIPELINES, WIRE_MESSAGES, WIRE_SEED, WIRE_REPORT: report },
    // Standard output is for the figures.
    stdio: ['ignore', 2, 'inherit'],
  },
);
const lines = readLines(report);
rmSync(folder, { recursive: true, force: true });
for (const line of lines) console.log(JSON.stringify(line));

const compared = lines.filter((line) => line.differences !== undefined);
const floods = lines.filter((line) => line.outcomes !== undefined);
const programs = lines.filter((line) => line.program !== undefined);
const tried = programs.filter((line) => line.versions !== undefined);
const sum = (list, value) => list.reduce((total, line) => total + value(line), 0);
console.log(
  JSON.stringify({
    wire: 'postgres',
    seed: Number(WIRE_SEED),
    pipelines: sum(compared, (line) => line.pipelines),
    differences: sum(compared, (line) => line.differences),
    broken_messages: sum(floods, (line) => line.messages),
    hung: sum(floods, (line) => line.outcomes.hung),
    refused: sum(floods, (line) => line.outcomes.refused),
    programs: Object.fromEntries(tried.map((line) => [line.program, line.versions])),
    programs_absent: Object.fromEntries(
      programs.filter((line) => line.absent !== undefined).map((line) => [line.program, line.absent]),
    ),
    passed: status === 0,
  }),
);
process.exitCode = status === 0 ? 0 : 1;

function readLines(file) {
  try {
    return readFileSync(file, 'utf8').trim().split('\n').map(JSON.parse);
  } catch {
    // The tests ended before they wrote a report.
    return [];
  }
}
