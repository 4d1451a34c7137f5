// npm run bench -- peers: the PostgreSQL proxy with rules, compared with `hoop-inspect`, a relay that does a
// similar job. BENCH_PEER is the path of its program; without it, the column is skipped.
import { loadavg } from 'node:os';
import { startGateway } from './gateway.mjs';
import { bounded, listed, rounded } from './kit/figures.mjs';
import { freePort } from './kit/ports.mjs';
import { memoryOf, profiling } from './kit/processes.mjs';
import { byTurns } from './kit/rounds.mjs';
import { openColumns } from './postgres/columns.mjs';
import { rowsOut, transactions } from './postgres/measure.mjs';
import { print, ratios } from './postgres/table.mjs';
import { fillTarget } from './postgres/target.mjs';
import { find } from './postgres/tools.mjs';

const ROUNDS = bounded('BENCH_ROUNDS', 3, 1, 100);
const SECONDS = bounded('BENCH_SECONDS', 3, 1, 600);
const ROWS = bounded('BENCH_ROWS', 500_000, 0, 100_000_000);
const CLIENTS = listed('BENCH_CLIENTS', ['1', '8', '32']).map(Number);
const MODES = listed('BENCH_MODES', ['prepared', 'simple']);
const COLUMNS = ['direct', 'pump', 'hoop_inspect', 'guarded'];

export default async function peers() {
  const pgbench = find('pgbench');
  if (pgbench === undefined) console.log('pgbench: skipped, the program is not installed here');
  const gateway = await startGateway(profiling(), { POSTGRES_PROXY_PORT: String(await freePort()) });
  const target = await fillTarget(gateway.postgres, { pgbench, rows: ROWS, hits: ROWS });
  const all = await openColumns(COLUMNS, { target, gateway });
  const columns = Object.fromEntries(all.map((column) => [column.name, column]));
  const rows = [];
  for (const mode of pgbench === undefined ? [] : MODES) {
    for (const clients of CLIENTS) {
      const run = (column, isWarmUp) =>
        transactions(pgbench, column, { mode, clients, seconds: isWarmUp ? 1 : SECONDS });
      rows.push({ name: `${mode}_${clients}`, unit: 'tx/s', of: await byTurns(columns, ROUNDS, run) });
    }
  }
  const tables = { masked_1_of_100: 'bench_rows', masked_each: 'bench_hits' };
  for (const [name, table] of ROWS > 0 ? Object.entries(tables) : []) {
    const run = (column) => rowsOut(column, `SELECT * FROM ${table}`, ROWS);
    rows.push({ name, unit: 'rows/s', of: await byTurns(columns, ROUNDS, run) });
  }
  console.log(
    `${ROUNDS} rounds by turns, ${SECONDS} s each, Node ${process.versions.node}, load ${loadavg()[0].toFixed(1)}; medians\n`,
  );
  print(rows, all);
  const memory = Object.fromEntries(
    all.filter(({ pid }) => pid !== undefined).map(({ name, pid }) => [name, rounded(memoryOf(pid))]),
  );
  console.log('MB afterwards:', memory);
  return { ratios: ratios(rows), memory };
}
