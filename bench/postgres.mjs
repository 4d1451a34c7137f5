// npm run bench -- postgres: the cost of the PostgreSQL proxy, compared with the target itself, PgBouncer and a bare byte pump.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway } from './gateway.mjs';
import { bounded, listed } from './kit/figures.mjs';
import { freePort } from './kit/ports.mjs';
import { profiling } from './kit/processes.mjs';
import { byTurns } from './kit/rounds.mjs';
import { COLUMNS, GATEWAY_COLUMNS, openColumns } from './postgres/columns.mjs';
import { rowsOut, transactions } from './postgres/measure.mjs';
import { print, ratios } from './postgres/table.mjs';
import { fillTarget } from './postgres/target.mjs';
import { find } from './postgres/tools.mjs';

const ROUNDS = bounded('BENCH_ROUNDS', 3, 1, 100);
const SECONDS = bounded('BENCH_SECONDS', 2, 1, 600);
const ROWS = bounded('BENCH_ROWS', 1_000_000, 0, 100_000_000);
const WORKERS = bounded('BENCH_WORKERS', 1, 1, 64);
const CLIENTS = listed('BENCH_CLIENTS', ['1', '8', '32']).map(Number);
const MODES = listed('BENCH_MODES', ['prepared', 'simple']);
const WANTED = listed('BENCH_COLUMNS', COLUMNS);

export default async function postgres() {
  const unknown = WANTED.filter((name) => !COLUMNS.includes(name));
  if (unknown.length > 0) throw new Error(`BENCH_COLUMNS: ${unknown.join()} is none of ${COLUMNS.join()}`);
  const pgbench = find('pgbench');
  if (pgbench === undefined) console.log('pgbench: skipped, the program is not installed here');
  const { server, gateway, stop } = await started();
  let opened;
  try {
    const target = await fillTarget(server, { pgbench, rows: ROWS });
    opened = await openColumns(WANTED, { target, gateway });
    return { ratios: ratios(await measure(pgbench, opened.columns)) };
  } finally {
    await opened?.close();
    await stop();
  }
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

/** The gateway with its database server, or only the server when no column needs the gateway. */
async function started() {
  if (WANTED.some((name) => GATEWAY_COLUMNS.includes(name))) {
    const gateway = await startGateway(profiling(), {
      POSTGRES_PROXY_PORT: String(await freePort()),
      WORKERS: String(WORKERS),
    });
    return { server: gateway.postgres, gateway, stop: gateway.stop };
  }
  const require = createRequire(import.meta.url);
  const { startEmbeddedPostgres } = require('../dist/src/development/embedded-postgres/embedded-postgres.js');
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  // As root, PostgreSQL runs as another user, who must be able to pass.
  chmodSync(folder, 0o711);
  const server = await startEmbeddedPostgres({ dataDir: folder, log: () => undefined });
  const stop = async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { server, stop };
}
