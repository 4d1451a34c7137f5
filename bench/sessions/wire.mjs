// Cost of recording in a wire proxy. Each session appends an input, waits, appends an output, waits, and so
// on, as with sockets. The result is the CPU time of this process and of PostgreSQL for each event, minus the
// CPU time of the same loop without a recorder, and minus the CPU time of the naps that limit the rate.
import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { bounded, median } from '../kit/figures.mjs';
import { begun, recording } from './recording.mjs';

const SECONDS = bounded('BENCH_SECONDS', 2, 1, 60);
const ROUNDS = bounded('BENCH_ROUNDS', 5, 1, 100);
/** Events in a second, of all sessions together. */
const RATE = bounded('BENCH_RATE', 30_000, 1_000, 1_000_000);

let drawn = 4711;
const random = (below) => (drawn = (drawn * 48_271) % 2_147_483_647) % below;

const LOADS = {
  // A prepared statement: its text is recorded once, and each execution records only values.
  values: () => [
    ['i', `$1 = ${random(100_000)}`, 'parameters'],
    ['o', `${random(10_000) - 5_000}\n`],
  ],
  // The same statement, recorded as text each time.
  text: () => [
    ['i', `SELECT abalance FROM pgbench_accounts WHERE aid = ${random(100_000)};`],
    ['o', `${random(10_000) - 5_000}\n`],
  ],
};

/** Measures the CPU time for each event, in µs. */
export async function wire(postgres) {
  const url = postgres.url('gateway');
  const postmaster = await postmasterOf(url);
  const rows = [];
  for (const [name, sessions] of [
    ['values', 8],
    ['text', 8],
    ['values', 32],
  ]) {
    const costs = [];
    // The first two rounds warm up.
    for (let round = -1; round <= ROUNDS; round++) {
      const bare = await measured(postmaster, () => bareSide(), LOADS[name], sessions);
      const real = await measured(postmaster, () => recordedSide(url, sessions), LOADS[name], sessions);
      if (round < 1) continue;
      const cost = (key) => real[key] - bare[key];
      costs.push({
        ...Object.fromEntries(['gateway', 'main', 'postgres'].map((key) => [key, cost(key)])),
        rate: real.rate,
      });
    }
    const of = (key) => Math.round(median(costs.map((cost) => cost[key])) * 100) / 100;
    rows.push({
      name: `${name}, ${sessions} sessions`,
      gateway: of('gateway'),
      main: of('main'),
      postgres: of('postgres'),
      rate: Math.round(of('rate')),
    });
  }
  console.log(
    `\nwire, at most ${RATE} events/s, ${ROUNDS} rounds of ${SECONDS} s; medians, µs of CPU for each event\n`,
  );
  console.log('                         gateway  of it in the main thread  PostgreSQL   events/s');
  for (const { name, gateway, main, postgres: pg, rate } of rows)
    console.log(
      `${name.padEnd(22)} ${gateway.toFixed(2).padStart(9)} ${main.toFixed(2).padStart(25)} ${pg.toFixed(2).padStart(11)} ${String(rate).padStart(10)}`,
    );
  return {
    wire_cpu_us: Object.fromEntries(rows.map(({ name, gateway, postgres: pg }) => [name, [gateway, pg]])),
  };
}

function bareSide() {
  const done = Promise.resolve();
  return { append: () => done, end: () => undefined, close: () => undefined };
}

async function recordedSide(url, sessions) {
  const client = new Client({ connectionString: url });
  await client.connect();
  const recorder = await recording(url, 'journal');
  const trails = [];
  for (let n = 0; n < sessions; n++) trails.push(recorder.trail(await begun(client)));
  return {
    append: (index, event) => trails[index].append(...event),
    end: () => Promise.all(trails.map((trail) => trail.end(0))),
    async close() {
      await recorder.close();
      await client.end();
    },
  };
}

async function measured(postmaster, open, load, sessions) {
  const side = await open();
  const pgBefore = cpuOf(postmaster);
  const before = process.cpuUsage();
  const mainBefore = threadCpu();
  const startedAt = performance.now();
  const { events, naps } = await run(side, load, sessions);
  await side.end();
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(before);
  const main = threadCpu() - mainBefore;
  await delay(20);
  const pg = cpuOf(postmaster) - pgBefore;
  await side.close();
  const asleep = naps * napCost();
  return {
    gateway: (user + system - asleep) / events,
    main: (main - asleep) / events,
    postgres: pg / events,
    rate: events / seconds,
  };
}

/**
 * Runs the sessions. Each session continues one to three turns of the event loop after its event was
 * recorded. When the sessions are ahead of the rate, the thread sleeps, as a proxy does in epoll, so that
 * shipments and journal have the same timing as in a proxy.
 */
function run(side, load, sessions) {
  const total = RATE * SECONDS;
  const startedAt = performance.now();
  let events = 0;
  let naps = 0;
  const due = [];
  let turns = 0;
  return new Promise((resolve, reject) => {
    let running = sessions;
    const ready = (session) => {
      (due[(turns + 1 + random(3)) % 4] ??= []).push(session);
    };
    const session = async (index) => {
      while (events < total) {
        for (const event of load()) {
          events += 1;
          await side.append(index, event);
          await new Promise(ready);
        }
      }
      running -= 1;
    };
    for (let index = 0; index < sessions; index++) session(index).catch(reject);
    const turn = () => {
      if (running === 0) return resolve({ events, naps });
      turns += 1;
      const now = due[turns % 4];
      if (now !== undefined) due[turns % 4] = undefined;
      for (const go of now ?? []) go();
      // Sleeps at most once a turn, so that callbacks of the disk and the database can run in between.
      if (events > ((performance.now() - startedAt) / 1000) * RATE) {
        nap();
        naps += 1;
      }
      setImmediate(turn);
    };
    setImmediate(turn);
  });
}

const cell = new Int32Array(new SharedArrayBuffer(4));
const nap = () => Atomics.wait(cell, 0, 0, 0.05);

/** Returns the CPU time of one nap in µs. */
function napCost() {
  const before = threadCpu();
  for (let n = 0; n < 1_000; n++) nap();
  return (threadCpu() - before) / 1_000;
}

const TICK_US = 10_000;

/** Returns the CPU time of all processes of the server, in µs. */
function cpuOf(postmaster) {
  let ticks = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const fields = statOf(pid);
    if (fields === undefined) continue;
    // The fields of the postmaster contain the time of its ended children.
    if (Number(pid) === postmaster) ticks += Number(fields[13]) + Number(fields[14]);
    if (Number(pid) === postmaster || Number(fields[1]) === postmaster)
      ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks * TICK_US;
}

/**
 * Returns the fields of `/proc/<pid>/stat` (proc(5)) from the third on; undefined if the process has ended.
 */
function statOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1).split(' ');
  } catch {
    return undefined;
  }
}

async function postmasterOf(url) {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  const parent = Number(statOf(rows[0].pid)[1]);
  await client.end();
  return parent;
}

/** Returns the CPU time of the main thread in µs. */
function threadCpu() {
  const fields = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ');
  return Number(fields[0]) / 1000;
}
