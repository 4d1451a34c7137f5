// Calls that wait for people, and the database connections that they cost.
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { modernCall } from './client.mjs';

/** pg closes connections that nobody used for 10 s. */
const IDLE_MS = 12_000;
const AT_ONCE = 5;
const SAMPLES = 100;
const EVERY_MS = 20;

/**
 * Database connections of the gateway while calls are held, and while none are: how many work at a moment, on
 * average, and how many are open.
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
      // Asking for a review takes a connection for a moment; waiting for it is what is measured.
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

/** `held` resolves with the first bytes of the answer: a held call sends its headers at once. */
function hold(url, token, text) {
  const { body, ...options } = modernCall(text, `Bearer ${token}`);
  /** The error that ended the call early, if any. */
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
