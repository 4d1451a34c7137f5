// npm run test:long: runs the tests at full size; `npm test` runs a short form (test/support/volume.ts).
// npm run test:long -- properties: runs all tests with properties, with 50 times as many random values
// (test/support/fast-check.ts).
// npm run test:long -- clock: runs all unit tests with clocks that jump, as on a slow machine
// (test/support/jest/jumping-clock.cjs).
// npm run test:long -- database: runs all tests of whole gateways with a database that answers late at random
// (test/support/jest/slow-database.cjs).
// Further arguments are parts of paths: only the files that contain one of them run. Options of Jest may
// follow.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');
const [first, ...others] = process.argv.slice(2);
const { TEST_RUNS = '50' } = process.env;
/** Arguments that list the test files of each form, and its environment. */
const FORMS = {
  clock: [['--testRegex', String.raw`src/.*\.spec\.ts$`], { TEST_CLOCK: 'jumps' }],
  database: [['--testRegex', String.raw`\.e2e-spec\.ts$`], { TEST_DATABASE: 'slow' }],
  properties: [['--findRelatedTests', 'test/support/fast-check.ts'], { TEST_RUNS }],
};

const [selection, environment] = FORMS[first] ?? [
  ['--findRelatedTests', 'test/support/volume.ts'],
  { TEST_VOLUME: 'long' },
];
const more = first in FORMS ? others : process.argv.slice(2);

const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
const parts = more.filter((argument) => !argument.startsWith('-'));
const settings = more.filter((argument) => argument.startsWith('-'));
const found = listed().filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)));
if (found.length === 0) {
  console.error(`no test has a long form and a path with ${parts.join(' or ')}`);
  process.exit(1);
}
// The bound for what hangs is higher, because the tests do up to a hundred times as much.
const { status } = run(['--testTimeout=600000', ...settings, '--runTestsByPath', ...found], {
  stdio: 'inherit',
  env: { ...process.env, ...environment },
});
process.exitCode = status ?? 1;

/** Paths of the tests that have a long form. */
function listed() {
  const { stdout, status: listedWith } = run(['--listTests', ...selection], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  if (listedWith !== 0) process.exit(listedWith ?? 1);
  return stdout
    .trim()
    .split('\n')
    .map((file) => relative(root, file));
}

function run(given, options) {
  return spawnSync(process.execPath, [jest, ...given], { cwd: root, ...options });
}
