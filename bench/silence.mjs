// npm run bench -- silence: how long other clients wait while one client sends
// or receives something very large.
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startGateway } from './gateway.mjs';
import { bounded, listed, median } from './kit/figures.mjs';
import { freePort } from './kit/ports.mjs';
import { profiling } from './kit/processes.mjs';
import { openColumns } from './postgres/columns.mjs';
import { fillTarget } from './postgres/target.mjs';
import { watch } from './silence/bystanders.mjs';
import { CASES, SETUP, startSender } from './silence/sender.mjs';

const ROUNDS = bounded('BENCH_ROUNDS', 3, 1, 100);
const TURN_WATCH = join(import.meta.dirname, 'silence', 'turn-watch.mjs');
const WANTED = listed('BENCH_CASES', Object.keys(CASES), Object.keys(CASES));
const COLUMNS = listed('BENCH_COLUMNS', ['direct', 'unguarded', 'recorded', 'guarded', 'blocking']);

export default async function silence() {
  const turnPort = await freePort();
  const gateway = await startGateway(['--import', TURN_WATCH, ...profiling()], {
    POSTGRES_PROXY_PORT: String(await freePort()),
    BENCH_TURN_PORT: String(turnPort),
  });
  const longestTurn = async () => Number(await (await fetch(`http://127.0.0.1:${turnPort}`)).text());
  const target = await fillTarget(gateway.postgres, { rows: 0 });
  await prepare(target);
  const columns = await openColumns(COLUMNS, { target, gateway });
  const rows = {};
  for (const name of WANTED) rows[name] = await measure(name, columns, gateway.origin, longestTurn);
  print(rows);
  return { ratios: flat(rows) };
}

async function prepare(url) {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(SETUP);
  await client.end();
}

/**
 * Measures the columns (routes to the target) alternately. Returns the medians of each round's longest wait.
 */
async function measure(name, columns, origin, longestTurn) {
  const found = {};
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const column of columns) {
      const sender = await startSender(column.url);
      const watched = await watch({ url: column.url, health: `${origin}/api/healthz` });
      await longestTurn();
      const took = await sender.run(name);
      const turn = await longestTurn();
      const silences = await watched.stop();
      sender.stop();
      if (round > 0) (found[column.name] ??= []).push({ ...silences, turn, took });
    }
  }
  return Object.fromEntries(
    Object.entries(found).map(([column, all]) => [
      column,
      {
        select: median(all.map(({ select }) => select)),
        healthz: median(all.map(({ healthz }) => healthz)),
        turn: median(all.map(({ turn }) => turn)),
        took: median(all.map(({ took }) => took)),
      },
    ]),
  );
}

function print(rows) {
  console.log(
    `\n${ROUNDS} rounds by turns, Node ${process.versions.node}, load ${loadavg()[0].toFixed(1)}; in ms: longest silence of select 1 / of healthz / longest turn of the gateway in processor time (the large command took)\n`,
  );
  console.log(['', ...COLUMNS].map((text) => text.padEnd(24)).join(''));
  for (const [name, columns] of Object.entries(rows)) {
    const cells = COLUMNS.map((column) => {
      const { select, healthz, turn, took } = columns[column];
      return `${[select, healthz, turn].map((one) => one.toFixed(0)).join(' / ')} (${took.toFixed(0)})`;
    });
    console.log([name, ...cells].map((text) => text.padEnd(24)).join(''));
  }
  console.log('');
}

/** Returns the longest wait of the other clients for each case and column, in milliseconds. */
function flat(rows) {
  const figures = {};
  for (const [name, columns] of Object.entries(rows))
    for (const column of COLUMNS)
      figures[`${name}_${column}_ms`] = Math.round(Math.max(columns[column].select, columns[column].healthz));
  return figures;
}
