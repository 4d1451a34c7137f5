// Data of the target: pgbench's own tables, and a table with typical rows.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Client } from 'pg';

/** Scale of pgbench: 500 000 accounts, which fit into the server's default cache. */
const SCALE = 5;

/**
 * Creates and fills the database `target` on the server, and returns its URL. Each hundredth row of the table
 * `bench_rows` holds an e-mail address, which the guardrails mask.
 * @param hits number of rows of the table `bench_hits`, in which each row holds one
 */
export async function fillTarget(postgres, { pgbench, rows, hits = 0 }) {
  await postgres.createDatabase('target');
  const url = postgres.url('target');
  if (pgbench !== undefined) {
    const [connection] = url.split('?');
    await promisify(execFile)(pgbench, ['-i', '-q', '-s', String(SCALE), connection]);
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    if (rows > 0) await client.query(rowsTable('bench_rows', rows, 100));
    if (hits > 0) await client.query(rowsTable('bench_hits', hits, 1));
    // Cleans up and flushes new rows now, so that PostgreSQL does not do it during a measurement.
    await client.query('VACUUM ANALYZE');
    await client.query('CHECKPOINT');
  } finally {
    await client.end();
  }
  return url;
}

function rowsTable(name, rows, rowsForAHit) {
  return `CREATE TABLE ${name} AS SELECT n AS id, 'Customer number ' || n AS name,
    CASE WHEN n % ${rowsForAHit} = 0 THEN 'customer' || n || '@example.com' ELSE 'not given' END AS contact,
    timestamptz '2026-01-01 00:00:00+00' + n * interval '1 second' AS created_at,
    (n % 100000) / 100.0 AS balance, n % 3 = 0 AS active FROM generate_series(1, ${rows}) AS n`;
}
