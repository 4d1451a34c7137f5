// Measures the database connections that the gateway uses while calls wait for an approval.
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { modernCall } from './client.mjs';

/** Wait until idle connections are closed. It is longer than the 10 s after which pg closes them. */
const IDLE_MS = 12_000;
const AT_ONCE = 5;
const SAMPLES = 100;
const EVERY_MS = 20;

/**
 * Counts the database connections of the gateway, with and without calls that wait for an approval: the
 * average number of busy connections, and the largest number of open ones.
 * @param url of a connection whose calls wait for an approval
 */
export async function heldCalls(gateway, url, count) {
  const client = new Client({ connectionString: gateway.postgres.url('gateway'), application_name: 'bench' });
  await client.connect();
  const calls = [];
  try {
    await delay(IDLE_MS);
    const without = await connections(client);
    for (let n = 0; n < count; n++) {
      calls.push(hold(url, gateway.token, `call ${n}`));
      // Few calls start in parallel. Each needs a database connection to request its review, but only waiting
      // is measured.
      if (calls.length % AT_ONCE === 0) await Promise.all(calls.map(({ held }) => held));
    }
    await Promise.all(calls.map(({ held }) => held));
    await delay(IDLE_MS);
    const within = await connections(client);
    const ended = calls.map(({ answer }) => answer()).filter((answer) => answer !== undefined);
    if (ended.length > 0) throw new Error(`${ended.length} of ${count} calls were not held: ${ended[0]}`);
    return {
      calls: count,
      busyWith: within.busy,
      busyWithout: without.busy,
      openWith: within.open,
      openWithout: without.open,
    };
  } finally {
    for (const { leave } of calls) leave();
    await client.end();
  }
}

/** Sends a call. `held` resolves when the headers arrive. For a held call, the gateway sends them at once. */
function hold(url, token, text) {
  const { body, ...options } = modernCall(text, `Bearer ${token}`);
  /** The body of the answer, once the call has ended. */
  let over;
  const sent = request(url, { ...options, agent: false });
  const held = new Promise((resolve, reject) => {
    sent.once('error', reject);
    sent.once('response', (response) => {
      if (response.statusCode !== 200)
        reject(new Error(`a call that should be held: ${response.statusCode}`));
      const told = [];
      response.on('data', (chunk) => told.push(chunk));
      response.once('close', () => (over = String(Buffer.concat(told))));
      resolve();
    });
  });
  sent.end(body);
  return { held, answer: () => over, leave: () => sent.destroy() };
}

async function connections(client) {
  const seen = [];
  for (let n = 0; n < SAMPLES; n++) {
    const { rows } = await client.query(
      `SELECT count(*)::int AS open, count(*) FILTER (WHERE state <> 'idle')::int AS busy
       FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
    );
    seen.push(rows[0]);
    await delay(EVERY_MS);
  }
  const sum = seen.reduce((total, { busy }) => total + busy, 0);
  return { busy: sum / seen.length, open: Math.max(...seen.map(({ open }) => open)) };
}
