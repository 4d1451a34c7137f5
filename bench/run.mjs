// npm run bench -- <name>: runs bench/<name>.mjs, which prints a table and, as its last line, its figures as JSON.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const PARTS = new Set(['run', 'bare-express', 'gateway']);
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.mjs'))
  .map((file) => file.slice(0, -'.mjs'.length))
  .filter((name) => !PARTS.has(name));

const [name] = process.argv.slice(2);
if (!names.includes(name)) {
  console.error(`Which one? npm run bench -- ${names.join(' | ')}`);
  process.exit(1);
}
const { default: bench } = await import(pathToFileURL(join(import.meta.dirname, `${name}.mjs`)).href);
console.log(JSON.stringify({ bench: name, ...(await bench()) }));
