// npm run test:long: runs the tests at full size; `npm test` runs a short form (test/support/volume.ts).
// Arguments are those of Jest. npm run test:long -- properties: runs all tests with properties, with 50
// times as many random values (test/support/fast-check.ts).
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [first, ...others] = process.argv.slice(2);
const isProperties = first === 'properties';
const { TEST_RUNS = '50' } = process.env;

const [related, environment, more] = isProperties
  ? ['test/support/fast-check.ts', { TEST_RUNS }, others]
  : ['test/support/volume.ts', { TEST_VOLUME: 'long' }, process.argv.slice(2)];

const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
// The bound for what hangs is higher, because the tests do up to a hundred times as much.
const found = ['--testTimeout=600000', '--findRelatedTests', related];
const { status } = spawnSync(process.execPath, [jest, ...found, ...more], {
  cwd: join(import.meta.dirname, '..'),
  stdio: 'inherit',
  env: { ...process.env, ...environment },
});
process.exitCode = status ?? 1;
