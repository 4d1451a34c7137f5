// npm run test:mcp: the long form of the attacks on MCP endpoints (test/mcp). Prints what was tried and found
// as a table and, as its last line, as JSON; fails unless every figure is there and within its limits.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { MCP_KILLS = '300', MCP_SEED = String(randomInt(1e9)) } = process.env;

/** Figures that each file reports. `least` and `most` are limits; all other counts are only printed. */
const FIGURES = {
  headers: { file: 'headers-and-bodies', least: { disagreeing: 2_000 }, most: { differing: 0 } },
  'evasions in arguments': { file: 'evasions', least: { forms: 500 }, most: { missed: 0 } },
  'evasions in results': { file: 'evasions', least: { forms: 500 }, most: { missed: 0 } },
  'results in pieces': {
    file: 'results-in-pieces',
    least: { streams: 50, cuts: 10_000 },
    most: { missed: 0 },
  },
  addresses: { file: 'forbidden-addresses', least: { forms: 500 }, most: { connections: 0 } },
  'cuts of clients': { file: 'resumption', least: { cuts: 200 }, most: { lost: 0, doubled: 0 } },
  'cuts of servers': { file: 'misbehaving-servers', least: { cuts: 200 }, most: { lost: 0, doubled: 0 } },
  'token expiry': {
    file: 'upstream-credentials',
    least: { calls: 100, gateways: 2, refreshes: 1 },
    most: { refreshes: 1 },
  },
  stolen: { file: 'stolen', least: { tried: 1_000 }, most: { accepted: 0 } },
  kills: {
    file: 'approved-calls',
    least: { kills: Number(MCP_KILLS) },
    most: { twice: 0, unrecorded: 0, broken_promises: 0 },
  },
  canaries: { file: 'canaries', least: { canaries: 20, places: 6 }, most: { found: 0 } },
  'idle sessions': {
    file: 'idle-sessions',
    least: { sessions: 1_000 },
    most: { kept_bytes_a_session: 1_024 },
  },
  '10 MB results': { file: 'idle-sessions', least: { bytes: 10_000_000 }, most: {} },
};
const [only] = process.argv.slice(2);
const wanted = Object.entries(FIGURES).filter(([, { file }]) => only === undefined || file === only);
// Without a file, Jest would run all tests there are.
if (wanted.length === 0) {
  const files = new Set(Object.values(FIGURES).map(({ file }) => file));
  console.error(`${only} is none of ${[...files].join(', ')}`);
  process.exit(1);
}

const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
const folder = mkdtempSync(join(tmpdir(), 'gateway-mcp-'));
const report = join(folder, 'report.jsonl');
const files = [...new Set(wanted.map(([, { file }]) => `test/mcp/${file}\\.`))];
const startedAt = performance.now();
// The files run one after the other, because kills and memory are measured.
const { status } = spawnSync(
  process.execPath,
  [jest, '--testRegex', '(e2e|kills)-spec\\.ts$', '--runInBand', ...files],
  {
    cwd: join(import.meta.dirname, '..'),
    env: { ...process.env, TEST_VOLUME: 'long', MCP_KILLS, MCP_SEED, MCP_REPORT: report },
    // Standard output is for the figures.
    stdio: ['ignore', 2, 'inherit'],
  },
);
const lines = readLines(report);
rmSync(folder, { recursive: true, force: true });

const rows = wanted.map(([name, limits]) => {
  const found = lines.filter(({ figure }) => figure === name);
  const { figure: _figure, ...counts } = found.reduce(summed, {});
  const missed = [
    ...(found.length === 0 ? ['it was not measured'] : []),
    ...Object.entries(limits.least).flatMap(([what, least]) =>
      counts[what] >= least ? [] : [`${what} < ${least}`],
    ),
    ...Object.entries(limits.most).flatMap(([what, most]) =>
      counts[what] <= most ? [] : [`${what} > ${most}`],
    ),
  ];
  return { name, counts, missed };
});
const width = Math.max(...rows.map(({ name }) => name.length));
console.log(`seed ${MCP_SEED}, Node ${process.versions.node}\n`);
for (const { name, counts, missed } of rows) {
  const told = Object.entries(counts).map(([what, count]) => `${count} ${what.replaceAll('_', ' ')}`);
  console.log(
    `${name.padEnd(width)}  ${missed.length === 0 ? 'ok    ' : 'MISSED'}  ${[...told, ...missed].join(' · ')}`,
  );
}
const passed = status === 0 && rows.every(({ missed }) => missed.length === 0);
console.log(
  `\n${JSON.stringify({ mcp: only ?? 'all', seed: Number(MCP_SEED), seconds: Math.round((performance.now() - startedAt) / 1000), ...Object.fromEntries(rows.map(({ name, counts }) => [name, counts])), passed })}`,
);
process.exitCode = passed ? 0 : 1;

/** Adds up counts, because several tests may report counts for the same figure. */
function summed(total, counts) {
  return Object.fromEntries(
    Object.keys({ ...total, ...counts }).map((what) => [what, (total[what] ?? 0) + (counts[what] ?? 0)]),
  );
}

function readLines(file) {
  try {
    return readFileSync(file, 'utf8').trim().split('\n').map(JSON.parse);
  } catch {
    // The tests ended before they wrote a report.
    return [];
  }
}
