import { Client } from 'pg';
import type { TestDatabase } from '../database';
import { LockLog } from './lock-log';
import type { Transaction } from './lock-order';
import { readWal } from './wal-record';

/** Observes the locks of every transaction of a database, from the write-ahead log. */
export interface LockWatch {
  /** Assigns the transactions that begin from now on to this operation. Reports show its name. */
  mark(operation: string): Promise<void>;
  /** Returns all transactions that ended since the watch began, in the order of their ends. */
  transactions(): Promise<Transaction[]>;
  close(): Promise<void>;
}

/**
 * PostgreSQL writes each row lock to its WAL when the lock is acquired: by statements, by SELECT … FOR
 * UPDATE, by foreign keys (FOR KEY SHARE) and by triggers. `pg_walinspect` reads the WAL, so the watch sees
 * the real locks in their real order. The triggers of the watch add data that the WAL lacks: the current
 * statement, and the key of each new row.
 *
 * Limits: among table locks, only ACCESS EXCLUSIVE is seen. Locks that were requested but not granted are not
 * seen. A lock with `NOWAIT`, or with `SKIP LOCKED` in a plain SELECT, looks like a lock that waits.
 */
export async function watchLocks(database: TestDatabase): Promise<LockWatch> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(KEEP);
  await client.query(INSTALL);
  await client.query(triggers(await tables(client)));
  await client.query(RECONNECT);
  const names = await fileNames(client);
  const log = new LockLog(await keysOfRows(client), names, await tablesOfChosenKeys(client));
  let from = await position(client);
  return {
    mark: async (operation) => {
      await client.query(`SELECT pg_logical_emit_message(false, 'operation', $1)`, [operation]);
    },
    transactions: async () => {
      const until = await position(client);
      for (const record of await readWal(client, from, until)) {
        log.read(record);
      }
      from = until;
      for (const [file, name] of await fileNames(client)) names.set(file, name);
      return log.ended();
    },
    close: () => client.end(),
  };
}

/** Returns the current position in the write-ahead log. Flushes the log up to it, so that it can be read. */
async function position(client: Client): Promise<string> {
  const { rows } = await client.query<{ lsn: string }>(
    `SELECT pg_logical_emit_message(false, 'flush', '', true) AS lsn`,
  );
  return rows[0]?.lsn ?? '0/0';
}

/**
 * Keeps the server's write-ahead log while this client is connected. Otherwise the server could remove parts
 * of it, because other tests write much at the same time.
 */
const KEEP = `SELECT pg_create_physical_replication_slot('lock_watch_' || pg_backend_pid(), true, true)`;

/**
 * Installs trigger functions, and replacements for functions of `pg_catalog`. The search path has `public`
 * first, so that callers use the replacements.
 */
const INSTALL = `
  CREATE EXTENSION pg_walinspect;
  CREATE EXTENSION pgrowlocks;
  CREATE FUNCTION public.watch_statement() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF current_setting('application_name') NOT LIKE 'access-gateway%' THEN
      PERFORM pg_logical_emit_message(true, 'foreign', '');
    END IF;
    IF EXISTS (SELECT FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'advisory' AND classid = 18248) THEN
      PERFORM pg_logical_emit_message(true, 'holds', 'purge');
    END IF;
    PERFORM pg_logical_emit_message(true, 'statement', left(regexp_replace(current_query(), '\\s+', ' ', 'g'), 2000));
    RETURN NULL;
  END $$;
  CREATE FUNCTION public.watch_row() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE r jsonb := to_jsonb(NEW);
  BEGIN
    PERFORM pg_logical_emit_message(true, 'row', (SELECT string_agg(CASE jsonb_typeof(r -> key) WHEN 'number' THEN lpad(r ->> key, 19, '0') ELSE r ->> key END, ' ')
      FROM unnest(TG_ARGV) AS key));
    RETURN NEW;
  END $$;
  -- Keys of the product, as src/platform/database/README.md names them.
  CREATE FUNCTION public.advisory_name(key bigint) RETURNS text LANGUAGE sql AS $$
    SELECT CASE key WHEN hashtext('audit_log') THEN 'audit' WHEN hashtext('session_ledger') THEN 'ledger' WHEN 18249 THEN 'asking' WHEN 18250 THEN 'webhooks' WHEN 18251 THEN 'provisioning'
      WHEN hashtext('ensure_recording_month') THEN 'months' ELSE key::text END
  $$;
  CREATE FUNCTION public.pg_advisory_xact_lock(int, int) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_catalog.pg_advisory_xact_lock($1, $2);
    PERFORM pg_logical_emit_message(true, 'advisory', public.advisory_name($1) || ' ' || $2);
  END $$;
  CREATE FUNCTION public.pg_try_advisory_xact_lock(int, int) RETURNS boolean LANGUAGE plpgsql AS $$
  DECLARE taken boolean := pg_catalog.pg_try_advisory_xact_lock($1, $2);
  BEGIN
    IF taken THEN PERFORM pg_logical_emit_message(true, 'advisory', public.advisory_name($1) || ' ' || $2); END IF;
    RETURN taken;
  END $$;
  CREATE FUNCTION public.pg_advisory_xact_lock(bigint) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_catalog.pg_advisory_xact_lock($1);
    PERFORM pg_logical_emit_message(true, 'advisory', public.advisory_name($1));
  END $$;
  DO $$ BEGIN
    EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database());
  END $$;`;

/** Ends existing connections, because they lack the new search path. The pools open new ones. */
const RECONNECT = `
  SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database()
    AND application_name LIKE 'access-gateway%' AND application_name <> 'access-gateway changes'`;

/** Tables that are not locked in primary key order → the columns that come first in their lock order. */
const ORDERED_BY: Readonly<Record<string, readonly string[]>> = { webhook_deliveries: ['position'] };

interface Table {
  readonly name: string;
  readonly key: readonly string[];
}

async function tables(client: Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    SELECT relname AS name, array_agg(attname::text ORDER BY ordinal) AS key
    FROM pg_class JOIN pg_index ON indrelid = pg_class.oid AND indisprimary,
      unnest(indkey::int2[]) WITH ORDINALITY AS k (number, ordinal)
      JOIN pg_attribute ON attnum = number
    WHERE attrelid = pg_class.oid AND relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
    GROUP BY relname`);
  return rows.map(({ name, key }) => ({ name, key: [...(ORDERED_BY[name] ?? []), ...key] }));
}

function triggers(all: readonly Table[]): string {
  return all
    .map(
      ({ name, key }) => `
      CREATE TRIGGER watch_statement BEFORE INSERT OR UPDATE OR DELETE ON ${name}
        FOR EACH STATEMENT EXECUTE FUNCTION watch_statement();
      CREATE TRIGGER zz_watch_row BEFORE INSERT ON ${name}
        FOR EACH ROW EXECUTE FUNCTION watch_row(${key.map((column) => `'${column}'`).join(', ')});`,
    )
    .join('');
}

/** `<database>/<file node>` → the table's name; for a partition, the name of the partitioned table. */
async function fileNames(client: Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ file: string; name: string }>(`
    SELECT (SELECT oid FROM pg_database WHERE datname = current_database()) || '/' || pg_relation_filenode(oid) AS file,
      coalesce(pg_partition_root(oid), oid)::regclass::text AS name
    FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`);
  return new Map(rows.map(({ file, name }) => [file, name]));
}

/** Returns the keys of the rows that exist already: `<file> (block,offset)` → key. */
async function keysOfRows(client: Client): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const { name, key } of await tables(client)) {
    // The same format as in `watch_row`: numbers are padded to one length, so that they sort as text.
    const columns = key
      .map(
        (column) =>
          `CASE jsonb_typeof(r -> '${column}') WHEN 'number' THEN lpad(r ->> '${column}', 19, '0') ELSE r ->> '${column}' END`,
      )
      .join(', ');
    const { rows } = await client.query<{ place: string; key: string }>(`
      SELECT (SELECT oid FROM pg_database WHERE datname = current_database()) || '/' || pg_relation_filenode(tableoid)
        || ' ' || ctid AS place, concat_ws(' ', ${columns}) AS key FROM ${name} AS kept, to_jsonb(kept) AS r`);
    for (const row of rows) found.set(row.place, row.key);
  }
  return found;
}

/** Returns the tables with a key that callers choose, such as a name, unlike ids that the gateway makes. */
async function tablesOfChosenKeys(client: Client): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(`
    SELECT DISTINCT indrelid::regclass::text AS name FROM pg_index
    WHERE indisunique AND NOT EXISTS (
      SELECT FROM pg_attribute WHERE attrelid = indrelid AND attnum = ANY (indkey::int2[]) AND attname = 'id')
      AND indrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)`);
  return new Set(rows.map(({ name }) => name));
}
