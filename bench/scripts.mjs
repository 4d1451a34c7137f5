// Scripts over REST, judged and recorded, compared with psql and a bare client
// that run the same statement on the same server.
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startGateway } from './gateway.mjs';
import { bounded, listed, rounded } from './kit/figures.mjs';
import { processorSeconds, profiling, serverSeconds, startPart } from './kit/processes.mjs';
import { byTurns } from './kit/rounds.mjs';
import { find } from './postgres/tools.mjs';
import { seed } from './rest.mjs';

const ROUNDS = bounded('BENCH_ROUNDS', 5, 1, 100);
const SECONDS = bounded('BENCH_SECONDS', 2, 1, 60);
const CLIENTS = listed('BENCH_CLIENTS', ['1', '8']).map(Number);
/** Number of scripts before the first round, because a new process runs its first scripts slowly. */
const WARM_UP = bounded('BENCH_WARM_UP', 1_000, 0, 100_000);
const SCRIPT = 'select 1';
/**
 * Targets: milliseconds of the gateway's processor time for a script, scripts per second of eight clients,
 * and the median of one client as a multiple of `psql -c`.
 */
const AIMS = { processorMs: 4, perSecond: 312, p50: 2.5 };

export default async function scripts() {
  const gateway = await startGateway(profiling());
  await seed(gateway);
  const sides = sidesOf(gateway);
  if (WARM_UP > 0) await run(sides.gateway, { clients: 8, count: WARM_UP });
  await analyze(gateway.postgres.url('gateway'));
  const rows = [];
  for (const clients of CLIENTS) rows.push(await compare(sides, clients, gateway));
  print(rows, Object.keys(sides));
  return figures(rows);
}

function sidesOf({ origin, token, postgres }) {
  const target = postgres.url('target');
  const gateway = {
    kind: 'rest',
    url: `${origin}/api/sessions`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ connection: 'target', script: SCRIPT }),
  };
  const sides = { gateway, pg: { kind: 'pg', target, script: SCRIPT } };
  const psql = find('psql');
  if (psql === undefined) return sides;
  const said = { psql, target, script: SCRIPT };
  return { ...sides, psql: { kind: 'psql', ...said }, 'psql, open': { kind: 'psql, open', ...said } };
}

/** Analyzes tables as autovacuum does a minute later. Until then, statements keep plans for empty tables. */
export async function analyze(database) {
  const client = new Client({ connectionString: database });
  await client.connect();
  await client.query('ANALYZE');
  await client.end();
}

async function compare(sides, clients, gateway) {
  const of = await byTurns(sides, ROUNDS, async (side) => {
    const before = spent(gateway);
    const result = await run(side, { clients, seconds: SECONDS });
    const after = spent(gateway);
    const each = (process) => ((after[process] - before[process]) * 1000) / result.count;
    return {
      perSecond: result.perSecond,
      p50: result.p50,
      processorMs: each('gateway'),
      databaseMs: each('database'),
      clientMs: result.processorMs,
    };
  });
  return { clients, of };
}

/** Seconds of processor time so far. */
function spent({ pid, folder }) {
  return { gateway: processorSeconds(pid), database: serverSeconds(join(folder, 'postgres')) };
}

/** @param load the number of clients, and either their seconds or their number of scripts */
export async function run(side, load) {
  const child = startPart('scripts/clients.mjs');
  child.send({ ...side, ...load });
  const [result] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`the clients ended with ${code}`);
    }),
  ]);
  return result;
}

function print(rows, sides) {
  console.log(
    `${ROUNDS} rounds of ${SECONDS} s each by turns, Node ${process.versions.node}, load ${loadavg()[0].toFixed(1)}; medians. Aims: processor ≤ ${AIMS.processorMs} ms, ${AIMS.perSecond}/s of 8 clients, p50 of one client ≤ ${AIMS.p50} × psql -c\n`,
  );
  console.log('clients  of            scripts/s    p50 ms   processor ms   PostgreSQL ms   client ms');
  for (const { clients, of } of rows)
    for (const side of sides) {
      const { perSecond, p50, processorMs, databaseMs, clientMs } = of[side];
      console.log(
        [
          String(clients).padEnd(8),
          side.padEnd(12),
          perSecond.toFixed(0).padStart(10),
          p50.toFixed(2).padStart(9),
          (side === 'gateway' ? processorMs.toFixed(2) : '–').padStart(14),
          databaseMs.toFixed(2).padStart(15),
          clientMs.toFixed(2).padStart(11),
        ].join(' '),
      );
    }
  console.log();
}

function figures(rows) {
  const each = (figure) =>
    Object.fromEntries(rows.map(({ clients, of }) => [clients, rounded(figure(of, of.gateway))]));
  const asMuchAs = (side) => each((of, { p50 }) => p50 / (of[side]?.p50 ?? Number.NaN));
  return {
    node: process.versions.node,
    perSecond: each((_, { perSecond }) => perSecond),
    p50: each((_, { p50 }) => p50),
    processorMs: each((_, { processorMs }) => processorMs),
    databaseMs: each((_, { databaseMs }) => databaseMs),
    databaseMsOfPg: each(({ pg }) => pg.databaseMs),
    p50Of: { pg: asMuchAs('pg'), psql: asMuchAs('psql'), psqlOpen: asMuchAs('psql, open') },
  };
}
