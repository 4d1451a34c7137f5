// Cost of purging a hundred recordings whose retention has ended, and of moving a hundred recordings to
// object storage, with many stored sessions compared with few.
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { bounded, median } from '../kit/figures.mjs';
import { begun, recording } from './recording.mjs';

const ROUNDS = bounded('BENCH_PURGES', 5, 1, 9);
const AT_ONCE = 100;
const ASKS_EVERY_MS = 5;

/**
 * Purges the oldest hundred recordings in each round, on both gateways alternately (with few and with many
 * sessions). @returns a row of the table in list.mjs, in ms of a run
 */
export async function purged(sides) {
  const due = {};
  for (const [side, gateway] of Object.entries(sides)) due[side] = await connectionOf(gateway);
  return byTurns(sides, `purge of ${AT_ONCE}`, (gateway, side) => removed(gateway, due[side]));
}

/** Moves new recordings. @returns a row of the table in list.mjs, in ms from the first move to the last */
export async function archived(sides, buckets) {
  for (const gateway of Object.values(sides)) {
    // Marks all ended sessions as archived, so that only new recordings move.
    await connected(gateway, (client) =>
      client.query(
        `INSERT INTO session_archives (session_id, org_id, state, locked_until, archived_at)
         SELECT id, org_id, 'archived', now() + interval '300 days', now() FROM sessions
         WHERE status = 'done' AND recording_purged_at IS NULL ON CONFLICT DO NOTHING`,
      ),
    );
    await connected(gateway, (client) => client.query('ANALYZE session_archives'));
  }
  return byTurns(sides, `archive of ${AT_ONCE}`, (gateway, side) => moved(gateway, buckets[side]));
}

async function byTurns(sides, name, measure) {
  const times = { small: [], big: [] };
  // An additional first round warms up, unless there is only one round.
  for (let round = ROUNDS === 1 ? 1 : 0; round <= ROUNDS; round++)
    for (const [side, gateway] of Object.entries(sides)) {
      const time = await measure(gateway, side);
      if (round > 0) times[side].push(time);
    }
  const [small, big] = [median(times.small), median(times.big)];
  return { name, small, big, ratio: Math.round((big / small) * 100) / 100 };
}

/** The id of a connection whose recordings are kept for a day. */
async function connectionOf(gateway) {
  const secret = { HOST: '127.0.0.1', PORT: '1', USER: 'any', PASS: 'any', DB: 'any', SSLMODE: 'disable' };
  const body = { name: 'due', type: 'database', subtype: 'postgres', secret, retention_days: 1 };
  return JSON.parse(await gateway.call('POST', '/connections', body)).id;
}

async function removed(gateway, connectionId) {
  // Selects ended sessions that are old enough on both gateways.
  const { rowCount } = await connected(gateway, (client) =>
    client.query(
      `UPDATE sessions SET connection_id = $1, end_date = start_date WHERE id IN (
         SELECT id FROM sessions WHERE recording_purged_at IS NULL AND start_date < now() - interval '25 hours' AND status = 'done'
         ORDER BY start_date LIMIT ${AT_ONCE})`,
      [connectionId],
    ),
  );
  await gateway.call('POST', '/retention/runs');
  for (;;) {
    const state = JSON.parse(await gateway.call('GET', '/retention'));
    const [run] = state.runs;
    if (!state.running && run.finished_at !== null) {
      if (run.purged !== rowCount) throw new Error(`a run removed ${run.purged} recordings: ${run.error}`);
      return Date.parse(run.finished_at) - Date.parse(run.started_at);
    }
    await delay(ASKS_EVERY_MS);
  }
}

async function moved(gateway, bucket) {
  bucket.close();
  const recorder = await recording(gateway.postgres.url('gateway'), 'store');
  return connected(gateway, async (client) => {
    const ids = [];
    for (let n = 0; n < AT_ONCE; n++) {
      const session = await begun(client);
      const trail = recorder.trail(session);
      await trail.append('o', `what session ${session.id} said\n`.repeat(50));
      await trail.end(0);
      ids.push(session.id);
    }
    await recorder.close();
    // All recordings move together, as they do after the bucket was unavailable for an hour.
    bucket.open();
    await client.query('UPDATE session_archives SET next_at = now() WHERE session_id = ANY ($1)', [ids]);
    for (;;) {
      const { rows } = await client.query(
        `SELECT count(*)::int AS moved, extract(epoch FROM max(archived_at) - min(archived_at))::float8 * 1000 AS ms
         FROM session_archives WHERE session_id = ANY ($1) AND state = 'archived' AND last_seq > 0`,
        [ids],
      );
      if (rows[0].moved === AT_ONCE) return rows[0].ms;
      await delay(ASKS_EVERY_MS);
    }
  });
}

async function connected(gateway, work) {
  const client = new Client({ connectionString: gateway.postgres.url('gateway') });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
