// npm run test:node -- oldest | newest: a part of the tests on a Node.js other than the one of `npm test`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const PART =
  'test/process/edge test/exec/scripts test/postgres/clients/pg.e2e src/proxies/kit src/process/orphaned src/platform/database';

const VERSIONS = { oldest: '20.19.0', newest: '26.10.0' };
const version = VERSIONS[process.argv[2]];
if (version === undefined) throw new Error('which one? npm run test:node -- oldest | newest');
// The npm package `node` contains Node.js. npx puts it first in the PATH of the command.
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
