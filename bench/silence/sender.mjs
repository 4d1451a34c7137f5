// The client with the large command: a process of its own, so that its work is not taken for the gateway's.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';

const PARAMETERS = 60_000;
const text = (megabytes) => ({ text: `SELECT length('${'some text '.repeat(megabytes * 100_000)}')` });

export const CASES = {
  statement_10MB: () => text(10),
  statement_30MB: () => text(30),
  statement_60MB: () => text(60),
  parameters_60000: () => ({
    text: `SELECT count(*) FROM (VALUES ${Array.from({ length: PARAMETERS }, (_, index) => `($${index + 1}::text)`).join(',')}) AS t`,
    values: Array.from({ length: PARAMETERS }, (_, index) => `value ${index}`),
  }),
  cell_of_addresses: () => ({ text: "SELECT repeat('a@a.com ', 1200000)" }),
  rows_of_addresses: () => ({ text: "SELECT repeat('a@a.com ', 1000) FROM generate_series(1, 1200)" }),
};

export async function startSender(url) {
  const child = fork(fileURLToPath(import.meta.url), [url]);
  await once(child, 'message');
  return {
    /** How long it took, in milliseconds. */
    async run(name) {
      child.send(name);
      const [answer] = await once(child, 'message');
      return answer;
    },
    stop: () => child.kill(),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const client = new Client({ connectionString: process.argv[2] });
  client.on('error', () => undefined);
  await client.connect();
  const run = async (name) => {
    const command = CASES[name]();
    const from = performance.now();
    await client.query(command).catch((error) => console.log(name, error));
    process.send(performance.now() - from);
  };
  process.on('message', (name) => void run(name));
  process.send('ready');
}
