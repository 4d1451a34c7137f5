// Clients that connect, one after another or all at once, and leave once all are there. Started by fork()
// with a URL, their number and the number at once; sends the milliseconds of each, in the order of admission.
import { Client } from 'pg';

const [connectionString, count, width] = process.argv.slice(2);
const clients = [];
const times = [];
let failed;
let left = Number(count);
const startedAt = performance.now();

async function connectNext() {
  while (left > 0) {
    left -= 1;
    const begun = performance.now();
    const client = new Client({ connectionString });
    client.on('error', () => undefined);
    try {
      await client.connect();
      times.push(performance.now() - begun);
      clients.push(client);
    } catch (error) {
      failed ??= error.message;
    }
    // One after another: a client is gone before the next comes, so that only connecting is measured.
    if (width === '1') await clients.pop()?.end();
  }
}

await Promise.all(Array.from({ length: Number(width) }, connectNext));
const seconds = (performance.now() - startedAt) / 1000;
// Sent before they leave: many clients that leave at once are work too, which is not measured.
process.send({ times, seconds, failed });
await Promise.allSettled(clients.map((client) => client.end()));
process.disconnect();
