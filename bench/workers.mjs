// npm run bench -- workers: the cost of the setting WORKERS. Compares the processor time of the same work on
// gateways of one, two and more processes.
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { startGateway } from './gateway.mjs';
import { bounded, listed, rounded } from './kit/figures.mjs';
import { freePort } from './kit/ports.mjs';
import { load, processorSeconds, profiling } from './kit/processes.mjs';
import { byTurns } from './kit/rounds.mjs';
import { openColumns } from './postgres/columns.mjs';
import { transactions } from './postgres/measure.mjs';
import { fillTarget } from './postgres/target.mjs';
import { find } from './postgres/tools.mjs';
import { seed } from './rest.mjs';

const ROUNDS = bounded('BENCH_ROUNDS', 5, 1, 100);
const SECONDS = bounded('BENCH_SECONDS', 2, 1, 60);
const COUNTS = listed('BENCH_WORKERS', ['1', '2', '4']).map(Number);
/** Number of clients, enough to keep each process busy. */
const CLIENTS = 16;
/** Seconds without work: `before`, until the gateway is idle, then `measured`. */
const REST = { before: 5, measured: bounded('BENCH_REST_SECONDS', 30, 1, 600) };
/**
 * Work for each process before the first round: a number of requests, and seconds of transactions. New
 * processes are slow at first.
 */
const WARM_UP = { requests: bounded('BENCH_WARM_UP', 8_000, CLIENTS, 100_000), seconds: 2 };

export default async function workers() {
  const pgbench = find('pgbench');
  if (pgbench === undefined) console.log('pgbench: skipped, the program is not installed here');
  const sides = {};
  for (const count of COUNTS) sides[count] = await side(count, pgbench);
  const works = {
    ...(pgbench !== undefined && {
      'prepared transactions': async ({ column }) => {
        const { rate, cost } = await transactions(pgbench, column, {
          mode: 'prepared',
          clients: CLIENTS,
          seconds: SECONDS,
        });
        return { perSecond: rate, costMs: cost / 1_000 };
      },
    }),
    'GET of a guardrail': async ({ pid, request }) => {
      const before = processorSeconds(pid);
      const { perSecond, requests } = await load({ ...request, connections: CLIENTS, duration: SECONDS });
      return { perSecond, costMs: ((processorSeconds(pid) - before) * 1_000) / requests };
    },
  };
  const rows = [];
  for (const [name, run] of Object.entries(works)) {
    const of = await byTurns(sides, ROUNDS, run);
    for (const count of COUNTS)
      rows.push({ name, count, ...of[count], ratio: of[count].costMs / of[COUNTS[0]].costMs });
  }
  print(rows);
  const rest = await atRest(sides);
  const each = (figure) => Object.fromEntries(rows.map((row) => [`${row.name}, ${row.count}`, figure(row)]));
  return {
    node: process.versions.node,
    ratios: each(({ ratio }) => rounded(ratio)),
    processorMs: each(({ costMs }) => Math.round(costMs * 10_000) / 10_000),
    perSecondOfFreeCores: each(freeRate),
    atRest: rest,
  };
}

async function side(count, pgbench) {
  const gateway = await startGateway(profiling(), {
    POSTGRES_PROXY_PORT: String(await freePort()),
    WORKERS: String(count),
  });
  const { guardrail } = await seed(gateway);
  const request = {
    url: `${gateway.origin}/api${guardrail}`,
    headers: { authorization: `Bearer ${gateway.token}` },
  };
  await load({ ...request, connections: CLIENTS, amount: count * WARM_UP.requests });
  const database = gateway.postgres.url('gateway');
  if (pgbench === undefined) return { pid: gateway.pid, request, database };
  const target = await fillTarget(gateway.postgres, { pgbench, rows: 0 });
  const [column] = await openColumns(['guarded'], { target, gateway });
  const seconds = count * WARM_UP.seconds;
  await transactions(pgbench, column, { mode: 'prepared', clients: CLIENTS, seconds });
  return { pid: gateway.pid, request, column, database };
}

/** Measures idle gateways, by number of processes: processor milliseconds and transactions per minute. */
async function atRest(sides) {
  await delay(REST.before * 1_000);
  const all = Object.entries(sides);
  const spent = () =>
    Promise.all(
      all.map(async ([, side]) => [processorSeconds(side.pid) * 1_000, await transactionsOf(side)]),
    );
  const before = await spent();
  await delay(REST.measured * 1_000);
  const after = await spent();
  const aMinute = (index, figure) =>
    Math.round(((after[index][figure] - before[index][figure]) * 60) / REST.measured);
  const rest = all.map(([count], index) => [
    count,
    { processorMs: aMinute(index, 0), transactions: aMinute(index, 1) },
  ]);
  console.log('a minute at rest    processes   processor ms   transactions of the database');
  for (const [count, { processorMs, transactions: committed }] of rest)
    console.log(
      [
        ''.padEnd(18),
        count.padStart(10),
        String(processorMs).padStart(14),
        String(committed).padStart(30),
      ].join(' '),
    );
  console.log();
  return Object.fromEntries(rest);
}

/** Returns the number of transactions committed so far in the gateway's own database. */
async function transactionsOf({ database }) {
  const client = new Client({ connectionString: database });
  await client.connect();
  const { rows } = await client.query(
    'SELECT xact_commit::int AS committed FROM pg_stat_database WHERE datname = current_database()',
  );
  await client.end();
  return rows[0].committed;
}

/** Estimates the rate if each process had its own core, and clients and database had other cores. */
function freeRate({ count, costMs }) {
  return Math.round((count * 1_000) / costMs);
}

function print(rows) {
  console.log(
    `${ROUNDS} rounds of ${SECONDS} s each by turns, ${CLIENTS} clients, ${availableParallelism()} cores, Node ${process.versions.node}, load ${loadavg()[0].toFixed(1)}; medians\n`,
  );
  console.log('                        processes   processor ms   times   a second here   with a core each');
  for (const row of rows)
    console.log(
      [
        row.name.padEnd(22),
        String(row.count).padStart(10),
        row.costMs.toFixed(4).padStart(14),
        row.ratio.toFixed(2).padStart(7),
        row.perSecond.toFixed(0).padStart(15),
        String(freeRate(row)).padStart(18),
      ].join(' '),
    );
  console.log();
}
