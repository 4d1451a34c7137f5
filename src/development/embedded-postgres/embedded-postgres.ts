import { join } from 'node:path';
import { escapeIdentifier } from 'pg';
import { findBinaries } from './binaries';
import { openCluster, SUPERUSER } from './cluster';
import { thisHost, type Host } from './host';
import { joinServer, leaveServer } from './join-server';
import { findResidence } from './server-account';
import { withClient } from './server-hold';
import type { ServerPlan } from './server-process';

export interface EmbeddedPostgresOptions {
  /** Absolute path; the cluster is in `<dataDir>/postgres`. Created if it does not exist. */
  readonly dataDir: string;
  /**
   * Whether commits survive a crash; default true. With false, which is faster for tests, a crash loses the
   * last commits, and a power cut may lose everything.
   */
  readonly durable?: boolean;
  /** Server settings (postgresql.conf). They do not apply to a server that already runs and is adopted. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly log: (line: string) => void;
}

/** A running PostgreSQL server on 127.0.0.1 that this process started or adopted. */
export interface EmbeddedPostgres {
  readonly port: number;
  /** Connection URL of the superuser for a database. It contains the password, so it must not be logged. */
  url(database: string): string;
  /** Creates a database. Leaves an existing database unchanged; with a template, throws instead. */
  createDatabase(name: string, template?: string): Promise<void>;
  /**
   * Must be called last, after all connections are closed. Stops the server,
   * unless another process uses it too.
   */
  stop(): Promise<void>;
}

const NOT_DURABLE = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };

/**
 * Starts PostgreSQL on the data folder. If a server already runs on it, for another or a killed gateway, uses
 * that server. Resolves when the server answers.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
  host: Host = thisHost,
): Promise<EmbeddedPostgres> {
  const { log, durable = true } = options;
  const residence = await findResidence(options.dataDir, host, log);
  const binaries = await findBinaries(residence, host, log);
  const cluster = await openCluster(residence, binaries, durable, log);
  const plan: ServerPlan = {
    binaries,
    account: residence.account,
    cluster: cluster.folder,
    logFile: join(options.dataDir, 'postgres.log'),
    settings: { ...(durable ? {} : NOT_DURABLE), ...options.settings },
  };
  const urlOn = (port: number, database: string): string =>
    `postgres://${SUPERUSER}:${cluster.password}@127.0.0.1:${port}/${encodeURIComponent(database)}?sslmode=disable`;
  const joined = await joinServer(plan, (port) => urlOn(port, 'postgres'), log);
  let stopped: Promise<void> | undefined;
  return {
    port: joined.port,
    url: (database) => urlOn(joined.port, database),
    createDatabase: (name, template) => createDatabase(urlOn(joined.port, 'postgres'), name, template),
    stop: () => (stopped ??= leaveServer(plan, joined, log)),
  };
}

async function createDatabase(adminUrl: string, name: string, template?: string): Promise<void> {
  const from = template === undefined ? '' : ` TEMPLATE ${escapeIdentifier(template)}`;
  await withClient(adminUrl, async (client) => {
    try {
      await client.query(`CREATE DATABASE ${escapeIdentifier(name)}${from}`);
    } catch (error) {
      const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
      if (template !== undefined || rowCount === 0) throw error;
    }
  });
}
