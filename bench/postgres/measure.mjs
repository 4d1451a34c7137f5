// One round of one column: pgbench for some seconds, or all rows once.
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { processorSeconds } from '../kit/processes.mjs';

/** Transactions per second, and the processor time that the column's own process took for each, in µs. */
export async function transactions(pgbench, column, { mode, clients, seconds }) {
  const url = new URL(column.url);
  const before = processorSeconds(column.pid);
  const { stdout } = await promisify(execFile)(
    pgbench,
    ['-n', '-S', '-M', mode, '-c', String(clients), '-j', '1', '-T', String(seconds), '--random-seed=1'],
    {
      env: {
        PATH: process.env.PATH,
        PGHOST: url.hostname,
        PGPORT: url.port,
        PGUSER: decodeURIComponent(url.username),
        PGPASSWORD: decodeURIComponent(url.password),
        PGDATABASE: decodeURIComponent(url.pathname.slice(1)),
        PGSSLMODE: 'disable',
        PGGSSENCMODE: 'disable',
      },
    },
  );
  const used = processorSeconds(column.pid) - before;
  const done = figure(stdout, /transactions actually processed: (\d+)/);
  if (figure(stdout, /failed transactions: (\d+)/, 0) > 0) throw new Error(`${column.name}: ${stdout}`);
  // A machine that is busy with something else may not get all clients signed in within the time.
  if (done === 0) return { rate: 0, cost: Number.NaN };
  return { rate: figure(stdout, /tps = ([\d.]+)/), cost: (used / done) * 1e6 };
}

function figure(text, pattern, fallback) {
  const value = pattern.exec(text)?.[1] ?? fallback;
  if (value === undefined) throw new Error(`pgbench said something else:\n${text}`);
  return Number(value);
}

/** Rows per second through a reader that discards them, and the processor time for each, in ns. */
export async function rowsOut(column, sql, rows) {
  const before = processorSeconds(column.pid);
  const child = fork(join(import.meta.dirname, 'reader.mjs'), [column.url, sql, String(rows)], {
    env: { PATH: process.env.PATH },
  });
  const [result] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => [{ failed: 'the connection ended' }]),
  ]);
  if (result.failed !== undefined) throw new Error(`${column.name}: ${result.failed}`);
  const used = processorSeconds(column.pid) - before;
  return { rate: rows / result.seconds, cost: (used / rows) * 1e9, bytes: result.bytes };
}
