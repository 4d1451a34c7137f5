// npm run test:long: at full size what `npm test` tries in a short form (test/support/volume.ts). Arguments are those of Jest.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
const { status } = spawnSync(
  process.execPath,
  [jest, '--findRelatedTests', 'test/support/volume.ts', ...process.argv.slice(2)],
  {
    cwd: join(import.meta.dirname, '..'),
    stdio: 'inherit',
    env: { ...process.env, TEST_VOLUME: 'long' },
  },
);
process.exitCode = status ?? 1;
