// Cost of recording: eight writers, each of which waits until its event is recorded before it sends the next.
// They are compared with an INSERT for each event.
import { Client } from 'pg';
import { v7 as uuid7 } from 'uuid';
import { bounded, median, quantile } from '../kit/figures.mjs';
import { begun, recording } from './recording.mjs';

const WRITERS = 8;
const ROUNDS = bounded('BENCH_ROUNDS', 5, 1, 100);
const SECONDS = bounded('BENCH_SECONDS', 2, 1, 60);
/** A row of a table, as it appears in a script's output. */
const TEXT =
  'row 4711\tEve Example\teve@example.com\t2026-11-21 08:00:00+00\tactive\t1234.56\tsome more text in it\n';

/** Returns the ratios to the bare INSERT, and the p99 of an append in ms. */
export async function append(postgres) {
  const url = postgres.url('gateway');
  const sides = [
    ['INSERT for each event', await inserts(url, WRITERS)],
    ['the same, one writer', await inserts(url, 1)],
    ['journal', await recorder(url, 'journal', 1)],
    ['journal+fsync', await recorder(url, 'journal+fsync', 1)],
    ['store', await recorder(url, 'store', 1)],
    ['journal, 64 events at once', await recorder(url, 'journal', 64)],
    ['store, 64 events at once', await recorder(url, 'store', 64)],
  ];
  const rows = sides.map(([name]) => ({ name, rates: [], p99s: [] }));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [index, [, side]] of sides.entries()) {
      const { events, seconds, latencies } = await side.run();
      if (round === 0) continue;
      rows[index].rates.push(events / seconds);
      rows[index].p99s.push(quantile(latencies, 0.99));
    }
  }
  for (const [, side] of sides) await side.close();
  const bare = median(rows[0].rates);
  console.log(`\nappend, ${WRITERS} writers, ${ROUNDS} rounds of ${SECONDS} s by turns; medians\n`);
  console.log('                                events/s     ratio   p99, ms');
  const figures = rows.map(({ name, rates, p99s }) => {
    const figure = { name, ratio: round2(median(rates) / bare), p99: round2(median(p99s)) };
    const cells = [
      median(rates).toFixed(0).padStart(10),
      `${figure.ratio.toFixed(2)}×`.padStart(9),
      figure.p99.toFixed(2).padStart(9),
    ];
    console.log(`${name.padEnd(29)} ${cells.join(' ')}`);
    return figure;
  });
  return {
    append: Object.fromEntries(figures.slice(1).map(({ name, ratio }) => [name, ratio])),
    append_p99_ms: Object.fromEntries(figures.map(({ name, p99 }) => [name, p99])),
  };
}

/** Runs writers until the time is over, then waits for `drain`, so that all counted events are stored. */
async function timed(write, drain, writers = WRITERS) {
  const latencies = [];
  let events = 0;
  const startedAt = performance.now();
  const until = startedAt + SECONDS * 1000;
  const writer = async (_, index) => {
    while (performance.now() < until) {
      const sentAt = performance.now();
      const written = await write(index);
      events += written;
      latencies.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: writers }, writer));
  await drain();
  return { events, seconds: (performance.now() - startedAt) / 1000, latencies };
}

async function inserts(url, writers) {
  const clients = await Promise.all(Array.from({ length: writers }, () => connected(url)));
  await clients[0]
    .query(`CREATE TABLE IF NOT EXISTS bench_events (session_id uuid NOT NULL, number integer NOT NULL, at float8 NOT NULL,
    type text NOT NULL, content bytea NOT NULL, PRIMARY KEY (session_id, number))`);
  return {
    async run() {
      const sessions = clients.map(() => ({ id: uuid7(), number: 0 }));
      const text = 'INSERT INTO bench_events VALUES ($1, $2, $3, $4, $5)';
      const write = async (index) => {
        const { id, number } = sessions[index];
        sessions[index].number += 1;
        const values = [id, number, performance.now(), 'o', Buffer.from(TEXT)];
        await clients[index].query({ name: 'event', text, values });
        return 1;
      };
      return timed(write, () => undefined, writers);
    },
    close: () => Promise.all(clients.map((client) => client.end())),
  };
}

async function recorder(url, mode, atOnce) {
  const client = await connected(url);
  const recorder = await recording(url, mode);
  return {
    async run() {
      const trails = [];
      for (let writer = 0; writer < WRITERS; writer++) trails.push(recorder.trail(await begun(client)));
      const write = async (index) => {
        await Promise.all(Array.from({ length: atOnce }, () => trails[index].append('o', TEXT)));
        return atOnce;
      };
      return timed(write, () => Promise.all(trails.map((trail) => trail.end(0))));
    },
    async close() {
      await recorder.close();
      await client.end();
    },
  };
}

async function connected(url) {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}

const round2 = (value) => Math.round(value * 100) / 100;
