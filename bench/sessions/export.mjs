// Cost of reading a recording of 200 MB, compared with psql's COPY of the same bytes; and its stored size.
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { bounded, median } from '../kit/figures.mjs';
import { begun, recording } from './recording.mjs';

const ROUNDS = bounded('BENCH_ROUNDS', 5, 1, 100);
const MEGABYTES = bounded('BENCH_EXPORT_MB', 200, 1, 10_000);
const PIECE = 64 * 1024;
const FORMS = ['txt', 'json', 'csv'];

/**
 * Measures, for each format, the throughput as a share of COPY's and the growth of the gateway's memory in
 * MB; and the number of stored bytes for each recorded byte.
 */
export async function exported(gateway) {
  const client = new Client({ connectionString: gateway.postgres.url('gateway') });
  await client.connect();
  try {
    const { id, bytes } = await record(gateway, client);
    const stored = await storedBytes(client, id);
    await client.query('VACUUM ANALYZE');
    const sides = [...(hasPsql() ? ['psql COPY'] : []), ...FORMS];
    const rates = Object.fromEntries(sides.map((side) => [side, []]));
    const growth = {};
    for (let round = 0; round <= ROUNDS; round++) {
      for (const side of sides) {
        const before = residentMegabytes(gateway.pid);
        const startedAt = performance.now();
        const peak =
          side === 'psql COPY'
            ? await copied(gateway)
            : await downloaded(gateway, `/sessions/${id}?extension=${side}`);
        const seconds = (performance.now() - startedAt) / 1000;
        if (round > 0) rates[side].push(bytes / 1e6 / seconds);
        if (peak !== undefined) growth[side] = Math.max(growth[side] ?? 0, Math.round(peak - before));
      }
    }
    return print(sides, rates, growth, stored / bytes);
  } finally {
    await client.end();
  }
}

/** Records the rows of a query, and inserts the same lines into a table for psql. */
async function record(gateway, client) {
  const recorder = await recording(gateway.postgres.url('gateway'), 'store');
  const session = await begun(client);
  const trail = recorder.trail(session);
  await client.query('CREATE TABLE bench_lines (line text NOT NULL)');
  let bytes = 0;
  for (let row = 0; bytes < MEGABYTES * 1e6;) {
    const lines = [];
    for (let size = 0; size < PIECE - 200; row++) {
      const line = `${row}\tcustomer ${(row * 7919) % 100_003}\tuser${row % 977}@example.com\t${new Date(1.7e12 + row * 61_000).toISOString()}\t${((row * 31) % 99_991) / 100}\tnote ${(row * 104_729).toString(36)}`;
      lines.push(line);
      size += line.length + 1;
    }
    const piece = `${lines.join('\n')}\n`;
    await Promise.all([
      trail.append('o', piece),
      client.query('INSERT INTO bench_lines SELECT * FROM unnest($1::text[])', [lines]),
    ]);
    bytes += piece.length;
  }
  await trail.end(0);
  await recorder.close();
  return { id: session.id, bytes };
}

async function storedBytes(client, id) {
  const { rows } = await client.query(
    'SELECT sum(pg_column_size(payload) + 128)::float8 AS bytes FROM session_chunks WHERE session_id = $1',
    [id],
  );
  return rows[0].bytes;
}

function hasPsql() {
  try {
    execFileSync('psql', ['--version']);
    return true;
  } catch {
    console.log('psql is not installed: exports are measured without anything beside them');
    return false;
  }
}

async function copied(gateway) {
  const sql = String.raw`\copy (SELECT replace(line, E'\t', ' ') FROM bench_lines) TO STDOUT`;
  const child = spawn('psql', [gateway.postgres.url('gateway'), '-qc', sql], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const chunk of child.stdout) void chunk;
}

/** Downloads the path, and returns the gateway's peak memory in MB meanwhile. */
async function downloaded(gateway, path) {
  let peak = residentMegabytes(gateway.pid);
  const look = setInterval(() => {
    peak = Math.max(peak, residentMegabytes(gateway.pid));
  }, 20);
  const response = await fetch(`${gateway.origin}/api${path}`, {
    headers: { authorization: `Bearer ${gateway.token}` },
  });
  for await (const chunk of response.body) void chunk;
  clearInterval(look);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return peak;
}

function residentMegabytes(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1024;
}

function print(sides, rates, growth, stored) {
  console.log(`\nexport of ${MEGABYTES} MB, ${ROUNDS} rounds by turns; medians\n`);
  console.log('                  MB/s     share   memory, MB');
  const beside = median(rates[sides[0]]);
  const shares = {};
  for (const side of sides) {
    const rate = median(rates[side]);
    shares[side] = Math.round((rate / beside) * 100) / 100;
    const cells = [
      rate.toFixed(0).padStart(8),
      shares[side].toFixed(2).padStart(9),
      String(growth[side] ?? '').padStart(9),
    ];
    console.log(`${side.padEnd(13)} ${cells.join(' ')}`);
  }
  const stored2 = Math.round(stored * 100) / 100;
  console.log(`\nstored bytes for each recorded byte of text: ${stored2}`);
  return { export: shares, export_memory_mb: growth, stored: stored2 };
}
