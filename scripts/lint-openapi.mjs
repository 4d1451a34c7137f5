// Lints openapi.json by Redocly's recommended rules. Any finding fails, save those listed here with a reason;
// a reason that no longer applies fails too.
import { join } from 'node:path';
import { createConfig, lint } from '@redocly/openapi-core';

const takesNothing = 'takes nothing that could be wrong, so it has no 4xx';
const exceptions = {
  'operation-2xx-response #/paths/~1callback/get/responses': 'answers with a redirect only',
  'operation-4xx-response #/paths/~1publicserverinfo/get/responses': takesNothing,
  'operation-4xx-response #/paths/~1evidence-keys/get/responses': takesNothing,
  'operation-4xx-response #/paths/~1healthz/get/responses': takesNothing,
  'operation-4xx-response #/paths/~1readyz/get/responses': takesNothing,
};

const problems = await lint({
  ref: join(import.meta.dirname, '..', 'openapi.json'),
  config: await createConfig({ extends: ['recommended'] }),
});
const found = new Map(
  problems.map((problem) => [`${problem.ruleId} ${problem.location[0]?.pointer}`, problem.message]),
);
const faults = [
  ...[...found].filter(([key]) => !(key in exceptions)).map(([key, message]) => `${key}: ${message}`),
  ...Object.keys(exceptions)
    .filter((key) => !found.has(key))
    .map((key) => `${key}: the exception is no longer needed`),
];
for (const fault of faults) console.error(fault);
console.log(`openapi.json: ${faults.length} faults, ${found.size - faults.length} reasoned exceptions`);
process.exitCode = faults.length > 0 ? 1 : 0;
