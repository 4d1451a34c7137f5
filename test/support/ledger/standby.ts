import { execFile } from 'node:child_process';
import { chown, cp, mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../../src/development/embedded-postgres/embedded-postgres';

/**
 * Settings with which PostgreSQL acknowledges a commit only when the kernel has its data. The commit then
 * survives the death of the server process, which is the only fault that tests cause.
 */
export const SURVIVES_DEATH = { synchronous_commit: 'on', full_page_writes: 'on' };

/** Patterns of files that a base backup leaves out. The folders of these files stay, empty. */
const LEFT_OUT = [
  'postmaster.*',
  'standby.signal',
  'pg_wal/*',
  'pg_replslot/*',
  'pg_dynshmem/*',
  'pg_notify/*',
];

/** Runs statements on a server, in one session of its superuser. */
export async function onServer<T>(
  server: EmbeddedPostgres,
  work: (client: Client) => Promise<T>,
  database = 'postgres',
): Promise<T> {
  const client = new Client({ connectionString: server.url(database) });
  // Ignores the error here, because the query rejects with it too.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Starts a hot standby of a running server in the given folder, from a base backup of the server's folder
 * (PostgreSQL's documentation, 25.3.4). The standby streams from the server.
 * @param primary the folder of the server that was passed to `startEmbeddedPostgres`
 */
export async function startStandby(
  server: EmbeddedPostgres,
  primary: string,
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<EmbeddedPostgres> {
  await mkdir(folder, { mode: 0o711 });
  await onServer(server, async (client) => {
    await client.query(`SELECT pg_backup_start('standby', fast => true)`);
    await copyCluster(join(primary, 'postgres'), join(folder, 'postgres'));
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    await writeFor(folder, 'backup_label', rows[0]?.labelfile ?? '');
  });
  await cp(join(primary, 'postgres.password'), join(folder, 'postgres.password'));
  await writeFor(folder, 'standby.signal', '');
  const { username, password } = new URL(server.url('postgres'));
  return startEmbeddedPostgres({
    dataDir: folder,
    durable: false,
    settings: {
      ...SURVIVES_DEATH,
      primary_conninfo: `host=127.0.0.1 port=${server.port} user=${username} password=${password} application_name=standby`,
      wal_retrieve_retry_interval: '100ms',
      ...settings,
    },
    log: () => undefined,
  });
}

/** Writes a file of the cluster, which the server's user owns. */
async function writeFor(folder: string, name: string, text: string): Promise<void> {
  const file = join(folder, 'postgres', name);
  await writeFile(file, text);
  const { uid, gid } = await stat(join(folder, 'postgres'));
  await chown(file, uid, gid);
}

/** From now on the server acknowledges a commit when a standby has it on its disk. */
export async function commitOnBoth(server: EmbeddedPostgres): Promise<void> {
  await onServer(server, async (client) => {
    await client.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await client.query('SELECT pg_reload_conf()');
  });
}

/**
 * Copies a cluster with owners and modes, because under root the files belong to another user. If a file
 * changes during the copy (status 1 of tar), the standby repairs it from the log.
 */
async function copyCluster(from: string, to: string): Promise<void> {
  await mkdir(to);
  const left = LEFT_OUT.map((pattern) => `--exclude='./${pattern}'`).join(' ');
  await promisify(execFile)('bash', [
    '-o',
    'pipefail',
    '-c',
    `(tar -C "$1" ${left} -cf - . || [ $? -eq 1 ]) | tar -C "$2" -xpf -`,
    'copy',
    from,
    to,
  ]);
}
