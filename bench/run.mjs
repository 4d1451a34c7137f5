// npm run bench -- <name>: runs bench/<name>.mjs, which prints a table and, as
// its last line, its figures as JSON.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { endAll } from './kit/ends.mjs';
import { NAMES } from './kit/names.mjs';

const [name] = process.argv.slice(2);
if (name === 'shortest') {
  await import('./shortest.mjs');
  process.exit();
}
if (!NAMES.includes(name)) {
  console.error(`Which one? npm run bench -- ${NAMES.join(' | ')}`);
  process.exit(1);
}

const fail = async (error) => {
  if (error instanceof Error) console.error(error);
  await endAll().catch((fault) => console.error(fault));
  process.exit(1);
};
// Stops everything itself, because Ctrl-C does not reach the database server, which is in another session.
for (const signal of ['SIGINT', 'SIGTERM', 'uncaughtException'])
  process.once(signal, (error) => void fail(error));

const { default: bench } = await import(pathToFileURL(join(import.meta.dirname, `${name}.mjs`)).href);
let figures;
try {
  figures = await bench();
} catch (error) {
  await fail(error);
}
await endAll();
console.log(JSON.stringify({ bench: name, ...figures }));
