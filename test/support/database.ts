import { randomBytes } from 'node:crypto';
import { Client, Pool } from 'pg';
import { once } from '../../src/kernel/async/once';
import { asWorker } from './jest/leaks.cjs';

/** The migrated database that every test file clones. */
export const TEMPLATE = 'gateway_template';

export interface TestDatabase {
  readonly url: string;
  /** Runs SQL as the superuser. */
  query<T extends object>(sql: string, values?: unknown[]): Promise<T[]>;
  drop(): Promise<void>;
}

/** A fresh database on the test server: a clone of the migrated template, or an empty one. */
export async function freshDatabase(from: typeof TEMPLATE | 'empty' = TEMPLATE): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const strategy = process.env['TEST_POSTGRES_STRATEGY'] ?? 'WAL_LOG';
  const template = from === 'empty' ? 'template0' : from;
  await onServer(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY ${strategy}`);
  const url = serverUrl(name);
  const connections = new Connections(url);
  return {
    url,
    query: (sql, values) => connections.query(sql, values),
    drop: async () => {
      await connections.close();
      await onServer(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

function serverUrl(database: string): string {
  const base = process.env['TEST_POSTGRES_URL'];
  if (base === undefined) throw new Error('the test server is not running (test/support/global-setup.ts)');
  const url = new URL(base);
  url.pathname = `/${database}`;
  return url.href;
}

async function onServer(sql: string): Promise<object[]> {
  // Retries, because two concurrent clones of one template fail: "being accessed by other users".
  for (let attempt = 1; ; attempt++) {
    try {
      return await asWorker(() => server().query(sql));
    } catch (error) {
      if ((error as { code?: string }).code !== '55006' || attempt === 50) throw error;
      await new Promise((wait) => setTimeout(wait, 50 + Math.random() * 100));
    }
  }
}

/** Connections to the test server that all test files of this worker share. */
const server = once(() => new Connections(serverUrl('postgres')));

/**
 * Matches statements that may use a shared connection. A change needs its own connection, because the gateway
 * usually receives the notification about the change while this connection closes. A statement also needs its
 * own connection if it leaves a state in its database session or reads the id of its session.
 */
const SHARED =
  /^\s*(?:SELECT|CREATE DATABASE|DROP DATABASE)\b(?!.*(?:advisory|set_config|backend_pid|sleep|notify|terminate|cancel|;\s*\S))/is;

/**
 * Connections stay open for the next query, because opening a connection costs more than most queries of
 * tests. Many tests repeat a query until they see a result.
 */
class Connections {
  private readonly pool: Pool;

  constructor(private readonly url: string) {
    this.pool = new Pool({
      connectionString: url,
      max: 100,
      idleTimeoutMillis: 2_000,
      allowExitOnIdle: true,
    });
    // Ignores lost connections, because tests end sessions of the server, and whole servers.
    this.pool.on('error', () => undefined);
  }

  async query<T extends object>(sql: string, values?: unknown[]): Promise<T[]> {
    if (SHARED.test(sql)) return (await this.pool.query<T>(sql, values)).rows;
    const client = new Client({ connectionString: this.url });
    await client.connect();
    try {
      return (await client.query<T>(sql, values)).rows;
    } finally {
      await client.end();
    }
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}
