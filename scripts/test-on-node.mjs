// npm run test:oldest-node, npm run test:newest-node: a part of the tests on a
// Node.js other than the one of `npm test`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const PART =
  'test/process/edge test/exec/scripts test/postgres/clients/pg.e2e src/proxies/kit src/process/orphaned src/platform/database';

const [version] = process.argv.slice(2);
// npm's package `node` carries Node.js, and comes first in the path of what npx runs.
const { status } = spawnSync(
  'npx',
  [
    '--yes',
    `--package=node@${version}`,
    '-c',
    `node --version && node node_modules/jest/bin/jest.js -i ${PART}`,
  ],
  { cwd: join(import.meta.dirname, '..'), stdio: 'inherit', shell: false },
);
process.exitCode = status ?? 1;
