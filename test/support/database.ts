import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

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
  return {
    url,
    query: (sql, values) => onDatabase(url, sql, values),
    drop: async () => void (await onServer(`DROP DATABASE ${name} WITH (FORCE)`)),
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
  // Two concurrent clones of one template fail: "being accessed by other users".
  for (let attempt = 1; ; attempt++) {
    try {
      return await onDatabase(serverUrl('postgres'), sql);
    } catch (error) {
      if ((error as { code?: string }).code !== '55006' || attempt === 50) throw error;
      await new Promise((wait) => setTimeout(wait, 50 + Math.random() * 100));
    }
  }
}

async function onDatabase<T extends object>(url: string, sql: string, values?: unknown[]): Promise<T[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(sql, values)).rows;
  } finally {
    await client.end();
  }
}
