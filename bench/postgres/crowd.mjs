// Clients that connect one after another, or all at once; the latter disconnect when all are connected.
// Started by fork() with a URL, the number of clients and the number of concurrent clients. Sends the
// milliseconds of each client, in the order of admission.
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
    // If clients connect one after another, each disconnects first, so that only connecting is measured.
    if (width === '1') await clients.pop()?.end();
  }
}

await Promise.all(Array.from({ length: Number(width) }, connectNext));
const seconds = (performance.now() - startedAt) / 1000;
// Sent before the clients disconnect, so that the work of disconnecting is not measured.
process.send({ times, seconds, failed });
await Promise.allSettled(clients.map((client) => client.end()));
process.disconnect();
