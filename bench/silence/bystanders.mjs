// The other clients: a client that repeats `SELECT 1`, and a probe of /healthz.
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';

const PAUSE_MS = 2;

/** Starts both clients. `stop` returns the longest time of an answer for each, in milliseconds. */
export async function watch({ url, health }) {
  const client = new Client({ connectionString: url });
  await client.connect();
  const ask = { select: () => client.query('SELECT 1'), healthz: async () => (await fetch(health)).text() };
  const longest = { select: 0, healthz: 0 };
  const over = new AbortController();
  const loop = async (name) => {
    while (!over.signal.aborted) {
      const from = performance.now();
      await ask[name]();
      longest[name] = Math.max(longest[name], performance.now() - from);
      await delay(PAUSE_MS);
    }
  };
  // Warms up, because the first requests take longer.
  for (let time = 0; time < 20; time += 1) await Promise.all([ask.select(), ask.healthz()]);
  const loops = Promise.all([loop('select'), loop('healthz')]);
  return {
    async stop() {
      over.abort();
      await loops;
      await client.end();
      return longest;
    },
  };
}
