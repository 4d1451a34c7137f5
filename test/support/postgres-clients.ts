import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { Client, type ClientConfig } from 'pg';
import { CONNECTION, CREDENTIAL_ID, PASSWORD } from './postgres-proxy';

/** Runs a query with node-postgres. Returns its result, or SQLSTATE and message of the error. */
export async function byPg(port: number, more: ClientConfig = {}): Promise<string> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: CREDENTIAL_ID,
    password: PASSWORD,
    database: CONNECTION.name,
    ...more,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ sql: string }>('select 1');
    return rows[0]?.sql ?? '';
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return `${code}: ${message}`;
  } finally {
    await client.end();
  }
}

/** Runs the query with psql. Returns its standard output and standard error. */
export function byPsql(port: number, parameters: string, password = PASSWORD): Promise<string> {
  const env = { PATH: process.env['PATH'], PGPASSWORD: password, PGCONNECT_TIMEOUT: '60', HOME: tmpdir() };
  const target = `hostaddr=127.0.0.1 host=localhost port=${port} dbname=${CONNECTION.name} ${parameters}`;
  return new Promise((resolve) => {
    execFile('psql', ['-XAtw', '-d', target, '-c', 'select 1'], { env }, (_, stdout, stderr) =>
      resolve((stdout + stderr).trim()),
    );
  });
}
