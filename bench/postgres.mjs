// npm run bench -- postgres: the cost of the PostgreSQL proxy, compared with the target itself, PgBouncer and
// a bare byte pump.
import { loadavg } from 'node:os';
import { startDatabaseServer, startGateway } from './gateway.mjs';
import { bounded, listed } from './kit/figures.mjs';
import { freePort } from './kit/ports.mjs';
import { profiling } from './kit/processes.mjs';
import { byTurns } from './kit/rounds.mjs';
import { COLUMNS, GATEWAY_COLUMNS, openColumns, toGreeter, withApiKey } from './postgres/columns.mjs';
import { connecting, startGreeter } from './postgres/connecting.mjs';
import { rowsOut, transactions } from './postgres/measure.mjs';
import { print, ratios } from './postgres/table.mjs';
import { fillTarget } from './postgres/target.mjs';
import { find } from './postgres/tools.mjs';

const ROUNDS = bounded('BENCH_ROUNDS', 3, 1, 100);
const SECONDS = bounded('BENCH_SECONDS', 2, 1, 600);
const ROWS = bounded('BENCH_ROWS', 1_000_000, 0, 100_000_000);
const WORKERS = bounded('BENCH_WORKERS', 1, 1, 64);
const CONNECTS = bounded('BENCH_CONNECTS', 1_000, 0, 2_000);
const CLIENTS = listed('BENCH_CLIENTS', ['1', '8', '32']).map(Number);
const MODES = listed('BENCH_MODES', ['prepared', 'simple']);
const WANTED = listed('BENCH_COLUMNS', COLUMNS, COLUMNS);

export default async function postgres() {
  const pgbench = find('pgbench');
  if (pgbench === undefined) console.log('pgbench: skipped, the program is not installed here');
  const { server, gateway } = await started();
  const target = await fillTarget(server, { pgbench, rows: ROWS });
  const columns = await openColumns(WANTED, { target, gateway });
  const rows = await measure(pgbench, columns);
  return {
    ratios: ratios(rows),
    ...(CONNECTS > 0 && { connecting: await measureConnecting(columns, gateway) }),
  };
}

async function measureConnecting(columns, gateway) {
  const guarded = columns.find(({ name }) => name === 'guarded');
  const all = guarded === undefined ? columns : [...columns, await withApiKey(gateway, guarded)];
  const crowd = async () => toGreeter(gateway, await startGreeter());
  return connecting(all, { rounds: ROUNDS, count: CONNECTS, crowd });
}

async function measure(pgbench, all) {
  const columns = Object.fromEntries(all.map((column) => [column.name, column]));
  const rows = [];
  for (const mode of pgbench === undefined ? [] : MODES) {
    for (const clients of CLIENTS) {
      const run = (column, isWarmUp) =>
        transactions(pgbench, column, { mode, clients, seconds: isWarmUp ? 1 : SECONDS });
      rows.push({ name: `${mode}_${clients}`, unit: 'tx/s', of: await byTurns(columns, ROUNDS, run) });
    }
  }
  const ways = { select: 'SELECT * FROM bench_rows', copy: 'COPY bench_rows TO STDOUT' };
  for (const [name, sql] of ROWS > 0 ? Object.entries(ways) : []) {
    const run = (column) => rowsOut(column, sql, ROWS);
    rows.push({ name: `rows_${name}`, unit: 'rows/s', of: await byTurns(columns, ROUNDS, run) });
  }
  console.log(
    `${ROUNDS} rounds by turns, ${SECONDS} s each, Node ${process.versions.node}, load ${loadavg()[0].toFixed(1)}; medians\n`,
  );
  print(rows, all);
  return rows;
}

/** Starts the gateway with its database server, or only the server if no measured route uses the gateway. */
async function started() {
  if (WANTED.some((name) => GATEWAY_COLUMNS.includes(name))) {
    const gateway = await startGateway(profiling(), {
      POSTGRES_PROXY_PORT: String(await freePort()),
      WORKERS: String(WORKERS),
    });
    return { server: gateway.postgres, gateway };
  }
  return { server: (await startDatabaseServer()).postgres };
}
