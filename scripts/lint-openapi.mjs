// Lints openapi.json: Redocly's `recommended-strict` and Spectral's `oas`. Any finding fails.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, lint } from '@redocly/openapi-core';

const file = join(import.meta.dirname, '..', 'openapi.json');
const faults = [...(await redocly()), ...(await spectral())];
for (const fault of faults) console.error(fault);
console.log(`openapi.json: ${faults.length} faults`);
process.exitCode = faults.length > 0 ? 1 : 0;

async function redocly() {
  const problems = await lint({ ref: file, config: await createConfig({ extends: ['recommended-strict'] }) });
  return problems.map(({ ruleId, location, message }) => `${ruleId} ${location[0]?.pointer}: ${message}`);
}

async function spectral() {
  if (!isInstalled('@stoplight/spectral-core')) {
    console.log('openapi.json: not linted by Spectral, which is not installed: run npm ci');
    return [];
  }
  const { Spectral } = await imported('@stoplight/spectral-core');
  const { oas } = await imported('@stoplight/spectral-rulesets');
  const linter = new Spectral();
  // Enables all rules, not only the recommended ones, except two: we do not know the address of the
  // operators, and the tags are in the order that a reader needs.
  const rules = { 'contact-properties': 'off', 'openapi-tags-alphabetical': 'off' };
  linter.setRuleset({ extends: [[oas, 'all']], rules });
  const problems = await linter.run(JSON.parse(readFileSync(file, 'utf8')));
  return problems.map(({ code, path, message }) => `${code} #/${path.join('/')}: ${message}`);
}

/** Whether a package is installed. It may be missing after a pull, but never in CI. */
function isInstalled(name) {
  if (process.env.CI) return true;
  try {
    return import.meta.resolve(name) !== undefined;
  } catch {
    return false;
  }
}

/** Imports a CommonJS module, because Node.js does not always detect the named exports of these modules. */
async function imported(name) {
  const module = await import(name);
  return { ...module.default, ...module };
}
