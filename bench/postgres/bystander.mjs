// A client that repeats a short query with pauses until it receives a message. It then sends the milliseconds
// of each query. Started by fork() with a URL; sends `ready` first.
import { Client } from 'pg';

const PAUSE_MS = 2;

const client = new Client({ connectionString: process.argv[2] });
await client.connect();
const over = new AbortController();
process.once('message', () => over.abort());
process.send('ready');
const times = [];
while (!over.signal.aborted) {
  const begun = performance.now();
  await client.query('select 1');
  times.push(performance.now() - begun);
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
await client.end();
process.send(times, () => process.exit());
