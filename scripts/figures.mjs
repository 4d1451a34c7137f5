// Runs the long form of attacks, and holds what the tests report against limits: for test-mcp.mjs and
// test-ssh.mjs.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/**
 * Runs test files one after the other, because kills and memory are measured.
 * @param files regular expressions of paths
 * @param report name of the variable with the path of the report
 * @returns whether all tests passed, and the lines of the report, which are there also if tests failed
 */
export function runReporting(files, { regex, report, environment }) {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-figures-'));
  const file = join(folder, 'report.jsonl');
  const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
  const { status } = spawnSync(process.execPath, [jest, '--testRegex', regex, '--runInBand', ...files], {
    cwd: ROOT,
    env: { ...process.env, TEST_VOLUME: 'long', ...environment, [report]: file },
    // Standard output is for the figures.
    stdio: ['ignore', 2, 'inherit'],
  });
  const lines = readLines(file);
  rmSync(folder, { recursive: true, force: true });
  return { passed: status === 0, lines };
}

/**
 * Returns the figures with the given names, or those of one file.
 * @param figures by name: `file` with the tests, and limits. `least` and `most` are limits; all other counts
 * are only printed.
 */
export function chosenFigures(figures, only) {
  const wanted = Object.entries(figures).filter(([, { file }]) => only === undefined || file === only);
  if (wanted.length > 0) return wanted;
  // Without a file, Jest would run all tests there are.
  const files = new Set(Object.values(figures).map(({ file }) => file));
  console.error(`${only} is none of ${[...files].join(', ')}`);
  process.exit(1);
}

/** Returns a row for each wanted figure, with its counts and the limits that it missed. */
export function rowsOf(wanted, lines) {
  return wanted.map(([name, limits]) => {
    const found = lines.filter(({ figure }) => figure === name);
    const { figure: _figure, ...counts } = found.reduce(summed, {});
    const beyond = (limit, sign, isBeyond) =>
      Object.entries(limit).flatMap(([what, value]) =>
        isBeyond(counts[what], value) ? [`${what} ${sign} ${value}`] : [],
      );
    const missed = [
      ...(found.length === 0 ? ['it was not measured'] : []),
      ...beyond(limits.least, '<', (count, least) => !(count >= least)),
      ...beyond(limits.most, '>', (count, most) => !(count <= most)),
    ];
    return { name, counts, missed };
  });
}

export function printRows(rows) {
  const width = Math.max(...rows.map(({ name }) => name.length));
  for (const { name, counts, missed } of rows) {
    const told = Object.entries(counts).map(([what, count]) => `${count} ${what.replaceAll('_', ' ')}`);
    console.log(
      `${name.padEnd(width)}  ${missed.length === 0 ? 'ok    ' : 'MISSED'}  ${[...told, ...missed].join(' · ')}`,
    );
  }
}

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
