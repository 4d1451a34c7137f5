// npm run test:reviews: runs the long form of test/reviews/model.e2e-spec.ts. Prints the results as lines of
// JSON, and the sums on the last line. Fails unless every step has the outcome of the reference model.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const {
  REVIEW_PURE_STEPS = '500000',
  REVIEW_STORED_STEPS = '50000',
  REVIEW_SEED = String(randomInt(1e9)),
} = process.env;

const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
const folder = mkdtempSync(join(tmpdir(), 'gateway-reviews-'));
const report = join(folder, 'report.jsonl');
const { status } = spawnSync(process.execPath, [jest, 'test/reviews/model'], {
  cwd: join(import.meta.dirname, '..'),
  env: { ...process.env, REVIEW_PURE_STEPS, REVIEW_STORED_STEPS, REVIEW_SEED, REVIEW_REPORT: report },
  // Standard output is for the figures.
  stdio: ['ignore', 2, 'inherit'],
});
const lines = readLines(report);
rmSync(folder, { recursive: true, force: true });
for (const line of lines) console.log(JSON.stringify(line));
console.log(
  JSON.stringify({
    reviews: 'all',
    seed: Number(REVIEW_SEED),
    steps: lines.reduce((total, line) => total + line.steps, 0),
    passed: status === 0,
  }),
);
process.exitCode = status === 0 ? 0 : 1;

function readLines(file) {
  try {
    return readFileSync(file, 'utf8').trim().split('\n').map(JSON.parse);
  } catch {
    // The test ended before it wrote a report.
    return [];
  }
}
