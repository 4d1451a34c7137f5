// Writes what is derived from the code: openapi.json, the types of the TypeScript client and the portal,
// docs/configuration.md, the routes of the contract, .env.example, the list of metrics and the schema of the
// database. With --check it writes nothing and fails when one of them is out of date.
import { createRequire } from 'node:module';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { routesTables } from './routes.mjs';
import { schemaText } from './schema.mjs';

if (process.argv[2] === 'clients') {
  await import('./generate-clients.mjs');
  process.exit();
}

const root = join(import.meta.dirname, '..');
const require = createRequire(import.meta.url);
const { configurationTable, environmentExample } = require(
  join(root, 'dist/src/platform/config/document.js'),
);
const { metricsTables } = require(join(root, 'dist/src/platform/metrics/document.js'));
const { WHO_MAY_CALL } = require(join(root, 'dist/src/platform/http/document/descriptions.js'));
const { EDGE } = require(join(root, 'dist/src/process/edge.js'));
const { describeApi } = require(join(root, 'dist/src/commands/describe-api.js'));

const ROUTES = /(<!-- routes:begin -->\n)[\s\S]*?(<!-- routes:end -->)/;
const METRICS = /(<!-- metrics:begin -->\n)[\s\S]*?(<!-- metrics:end -->)/;
const STEPS = /(<!-- edge:begin -->\n)[\s\S]*?(<!-- edge:end -->)/;
const TABLE = /(<!-- configuration:begin -->\n)[\s\S]*?(<!-- configuration:end -->)/;

const document = await describeApi();
const types = `// Generated from openapi.json by openapi-typescript: npm run generate\n${astToString(await openapiTS(JSON.stringify(document)))}`;
const derived = {
  'openapi.json': `${JSON.stringify(document, null, 2)}\n`,
  // Not a declaration file (`.d.ts`), because the compiler does not copy those into its output.
  'clients/typescript/src/schema.ts': types,
  '.env.example': environmentExample(),
  'src/platform/database/schema/schema.sql': await schemaText(),
  'docs/contract.md': read('docs/contract.md').replace(
    ROUTES,
    (_, begin, end) => `${begin}\n${routesTables(document, WHO_MAY_CALL)}\n${end}`,
  ),
  'docs/operations/metrics.md': read('docs/operations/metrics.md').replace(
    METRICS,
    (_, begin, end) => `${begin}\n${metricsTables()}\n\n${end}`,
  ),
  'src/process/README.md': read('src/process/README.md').replace(
    STEPS,
    (_, begin, end) => `${begin}\n${stepsTable()}\n\n${end}`,
  ),
  'docs/configuration.md': read('docs/configuration.md').replace(
    TABLE,
    (_, begin, end) => `${begin}\n${configurationTable()}\n\n${end}`,
  ),
};

const stale = Object.entries(derived).filter(([file, content]) => read(file) !== content);
if (process.argv.includes('--check')) {
  for (const [file] of stale) console.error(`${file} is out of date: run npm run generate`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const [file, content] of stale) writeFileSync(join(root, file), content);
  console.log(
    stale.length === 0 ? 'everything is up to date' : `wrote ${stale.map(([file]) => file).join(', ')}`,
  );
}

/** Returns the table of the steps in which the HTTP edge handles a request, for src/process/README.md. */
function stepsTable() {
  const rows = EDGE.map(({ name, passes, why }, index) => `| ${index + 1} | ${name} | ${passes} | ${why} |`);
  return ['|  | Step | Passes | Why here |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function read(file) {
  try {
    return readFileSync(join(root, file), 'utf8');
  } catch {
    return '';
  }
}
