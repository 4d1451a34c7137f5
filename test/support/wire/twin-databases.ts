import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/**
 * Two databases that are equal, including all object ids, because both are copies of one template. If they
 * receive the same pipelines, the server's answers are equal byte for byte.
 */
export interface TwinDatabases {
  /** URLs of the two databases, with the superuser as the user. */
  readonly urls: readonly [string, string];
  /** Restores the initial tables in both databases. */
  reset(): Promise<void>;
  drop(): Promise<void>;
}

const SCHEMA = `
  CREATE TABLE items (id int PRIMARY KEY, name text NOT NULL, amount numeric(12, 2), at timestamptz, tags text[],
    data jsonb, raw bytea, ratio float8);
  CREATE TABLE notes (id serial PRIMARY KEY, body text CHECK (length(body) < 100000), score int DEFAULT 7);
  CREATE TABLE pairs (a int NOT NULL, b text);
  CREATE TABLE fixed AS SELECT n AS a, repeat('b', n) AS b FROM generate_series(1, 50) AS n;
  CREATE TYPE mood AS ENUM ('calm', 'busy');
  CREATE FUNCTION noisy(n int) RETURNS int LANGUAGE plpgsql AS $$
    BEGIN
      -- A pipeline may bind any number to it.
      FOR i IN 1..least(n, 100) LOOP RAISE NOTICE 'notice % of %', i, n USING DETAIL = 'a detail', HINT = 'a hint'; END LOOP;
      RETURN n;
    END $$;
  CREATE FUNCTION reset_wire() RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      TRUNCATE items, notes, pairs RESTART IDENTITY;
      INSERT INTO items SELECT n, 'item ' || n || CASE WHEN n % 3 = 0 THEN ' – Grüße 🚀 日本' ELSE '' END,
        CASE WHEN n % 4 = 0 THEN NULL ELSE n * 12.34 END, timestamptz '2026-01-31 12:00:00+00' + n * interval '1 hour',
        CASE WHEN n % 5 = 0 THEN NULL ELSE ARRAY['tag' || n, NULL, 'a "quoted" one'] END,
        jsonb_build_object('n', n, 'text', E'line\\nbreak\\ttab'), decode(repeat(to_hex(16 + n), n), 'hex'), n / 7.0::float8
        FROM generate_series(1, 20) AS n;
      INSERT INTO notes (body) VALUES ('first'), (NULL), (E'tab\\tnewline\\nbackslash\\\\');
      INSERT INTO pairs SELECT n, repeat('b', n) FROM generate_series(1, 50) AS n;
      PERFORM lo_unlink(oid) FROM pg_largeobject_metadata;
    END $$;
  SELECT reset_wire();
`;

/** Creates the two databases on the server of the URL. The user of the URL must be a superuser. */
export async function twinDatabases(serverUrl: string): Promise<TwinDatabases> {
  const run = randomBytes(4).toString('hex');
  const [template, ...names] = ['template', 'a', 'b'].map((part) => `wire_${run}_${part}`);
  const urlOf = (database = ''): string => {
    const url = new URL(serverUrl);
    url.pathname = `/${database}`;
    return url.href;
  };
  await onDatabase(serverUrl, `CREATE DATABASE ${template} TEMPLATE template0`);
  await onDatabase(urlOf(template), SCHEMA);
  for (const name of names) await onDatabase(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const urls = [urlOf(names[0]), urlOf(names[1])] as const;
  const keepers = urls.map((connectionString) => new Client({ connectionString }));
  await Promise.all(keepers.map((keeper) => keeper.connect()));
  return {
    urls,
    reset: async () => {
      await Promise.all(keepers.map((keeper) => keeper.query('SELECT reset_wire()')));
    },
    drop: async () => {
      await Promise.all(keepers.map((keeper) => keeper.end()));
      for (const name of [...names, template])
        await onDatabase(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function onDatabase(connectionString: string, sql: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
