// Measures one round of one column (route to the target): pgbench runs for some seconds, or all rows are read
// once.
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onEnd } from '../kit/ends.mjs';
import { processorSeconds } from '../kit/processes.mjs';

/**
 * Measures transactions per second, and the processor time for each transaction, in µs, of the process
 * between client and target. Counting begins with pgbench's first report, when all clients are signed in and
 * have worked for a second, because connecting is measured separately.
 */
export async function transactions(pgbench, column, { mode, clients, seconds }) {
  const url = new URL(column.url);
  const lasts = ['-T', String(seconds + 2), '-P', '1'];
  const child = spawn(
    pgbench,
    ['-n', '-S', '-M', mode, '-c', String(clients), '-j', '1', ...lasts, '--random-seed=1'],
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
  onEnd(() => child.kill());
  const reports = [];
  const said = [];
  createInterface(child.stderr).on('line', (line) => {
    const [, at, rate] = /^progress: ([\d.]+) s, ([\d.]+) tps/.exec(line) ?? [];
    if (at === undefined) said.push(line);
    else reports.push({ at: Number(at), rate: Number(rate), used: processorSeconds(column.pid) });
  });
  child.stdout.on('data', (text) => said.push(text));
  const [code] = await once(child, 'close');
  const all = said.join('\n');
  if (code !== 0 || figure(all, /failed transactions: (\d+)/, 0) > 0)
    throw new Error(`${column.name}: ${all}`);
  const [first] = reports;
  const last = reports.at(-1);
  // On a busy machine, the clients may not all be signed in within the time.
  if (first === undefined || first === last) return { rate: 0, cost: Number.NaN };
  let done = 0;
  for (const [index, { at, rate }] of reports.entries())
    if (index > 0) done += rate * (at - reports[index - 1].at);
  return { rate: done / (last.at - first.at), cost: ((last.used - first.used) / done) * 1e6 };
}

function figure(text, pattern, fallback) {
  const value = pattern.exec(text)?.[1] ?? fallback;
  if (value === undefined) throw new Error(`pgbench said something else:\n${text}`);
  return Number(value);
}

/** Reads all rows and discards them. Returns rows per second, and the processor time for each row in ns. */
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
