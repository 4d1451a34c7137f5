import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { once } from 'node:events';
import { Client } from 'pg';
import { type Account, run, spawnOptions } from '../../src/development/embedded-postgres/run-as';
import { eventually } from './eventually';
import { freePort } from './free-port';
import type { Way } from './wire-path';

const PATIENCE_MS = 60_000;
const USER = 'app';

/** A server with the version of the system's pg_dump, because pg_dump refuses newer servers. */
export interface SystemPostgres {
  readonly way: Way;
  query(sql: string, database?: string): Promise<unknown[]>;
  close(): Promise<void>;
}

/**
 * Returns the folder of the server programs with the version of the pg_dump in `PATH`; undefined if they are
 * not installed.
 */
function systemPrograms(): string | undefined {
  try {
    const pgDump = execFileSync('which', ['pg_dump'], { encoding: 'utf8' }).trim();
    const major = /\) (\d+)/.exec(execFileSync(pgDump, ['--version'], { encoding: 'utf8' }))?.[1];
    const folders = [dirname(pgDump), `/usr/lib/postgresql/${major}/bin`];
    return folders.find(
      (folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')),
    );
  } catch {
    return undefined;
  }
}

/** Calls `describe`; if the server is not installed, `describe.skip` with the reason in the name. */
export function describeWithSystemPostgres(name: string, body: () => void): void {
  if (systemPrograms() !== undefined) describe(name, body);
  else describe.skip(`${name} (skipped: pg_dump, or the server of its version, is not installed here)`, body);
}

export async function startSystemPostgres(): Promise<SystemPostgres> {
  const programs = systemPrograms();
  if (programs === undefined) throw new Error('the server of pg_dump is not installed');
  const folder = await mkdtemp(join(process.env['TEST_FOLDER'] ?? tmpdir(), 'gateway-system-postgres-'));
  const account = unprivileged();
  if (account !== undefined) await chown(folder, account.uid, account.gid);
  await chmod(folder, 0o700);
  const data = join(folder, 'data');
  const options = ['-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'];
  const made = await run(join(programs, 'initdb'), options, account);
  if (!made.ok) throw new Error(made.output);
  const way = {
    host: '127.0.0.1',
    port: await freePort(),
    user: USER,
    password: 'none',
    database: 'postgres',
  };
  const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${folder}`, '-F'];
  const server = spawn(join(programs, 'postgres'), ['-D', data, '-p', String(way.port), ...settings], {
    ...spawnOptions(account),
    stdio: 'ignore',
  });
  const query: SystemPostgres['query'] = async (sql, database = way.database) => {
    const client = new Client({ ...way, database });
    await client.connect();
    try {
      return (await client.query(sql)).rows as unknown[];
    } finally {
      await client.end();
    }
  };
  await eventually('the server answers', () => query('SELECT 1').catch(() => undefined), PATIENCE_MS);
  return { way, query, close: () => stop(server, folder) };
}

async function stop(server: ChildProcess, folder: string): Promise<void> {
  const exited = once(server, 'exit');
  if (server.exitCode === null) {
    server.kill('SIGINT');
    await exited;
  }
  await rm(folder, { recursive: true, force: true });
}

/** Returns another account if the tests run as root, because PostgreSQL refuses to run as root. */
function unprivileged(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (option: string): number =>
    Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' }).trim());
  return { name: 'nobody', uid: id('-u'), gid: id('-g') };
}
