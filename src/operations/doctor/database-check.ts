import type { Client } from 'pg';
import { migrationState } from '../../platform/database/schema/migrate';
import { SCHEMA_VERSION } from '../../platform/database/schema/schema-version';
import { messageOf } from '../../kernel/app-error';
import { type Diagnosis, Reporter } from './diagnosis';
import type { Examined } from './examined';

const report = new Reporter('database');
const OLDEST_VERSION = 15;
const CLOCK_MAY_DIFFER_MS = 2_000;
/** Number of connections of a process outside its pool, for example for the change feed and readiness. */
const BESIDE_THE_POOL = 4;

interface ServerRow {
  version: number;
  full_version: string;
  encoding: string;
  is_standby: boolean;
  is_read_only: boolean;
  is_superuser: boolean;
  is_encrypted: boolean | null;
  is_local: boolean;
  fsync: string;
  synchronous_commit: string;
  free_connections: number;
  now: Date;
}

const SERVER = `
  SELECT current_setting('server_version_num')::int / 10000 AS version, current_setting('server_version') AS full_version,
    current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS is_standby,
    current_setting('default_transaction_read_only') = 'on' AS is_read_only,
    (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS is_superuser,
    (SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()) AS is_encrypted,
    coalesce(inet_server_addr() <<= '127.0.0.0/8' OR inet_server_addr() = '::1', true) AS is_local,
    current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS synchronous_commit,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS free_connections,
    clock_timestamp() AS now`;

/** Checks version, state, clock and free connections of the server, and the rights of the gateway's role. */
export async function checkServer(client: Client, { settings }: Examined): Promise<Diagnosis[]> {
  const asked = Date.now();
  const { rows } = await client.query<ServerRow>(SERVER);
  const answered = Date.now();
  const [row] = rows;
  if (row === undefined) return [report.fault('The database says nothing about itself.', 'Look at its log.')];
  const found = [
    ...faultsOf(row),
    ...(await rightsOf(client, row)),
    ...warningsOf(row, settings),
    ...clockOf(row.now.getTime() - (asked + answered) / 2),
  ];
  return found.length > 0
    ? found
    : [report.ok(`PostgreSQL ${row.full_version} answers, and the role may do what the gateway does.`)];
}

function faultsOf(row: ServerRow): Diagnosis[] {
  const found: Diagnosis[] = [];
  if (row.version < OLDEST_VERSION)
    found.push(
      report.fault(
        `The server is PostgreSQL ${row.full_version}; the gateway needs ${OLDEST_VERSION} or later.`,
        'Upgrade it.',
      ),
    );
  if (row.encoding !== 'UTF8')
    found.push(
      report.fault(
        `The database is encoded in ${row.encoding}, so that recordings and names could not be stored.`,
        "Create it with ENCODING 'UTF8'.",
      ),
    );
  if (row.is_standby || row.is_read_only)
    found.push(
      report.fault(
        row.is_standby ? 'The server is a standby and takes no writes.' : 'The role may only read.',
        'Let DATABASE_URL lead to the primary.',
      ),
    );
  return found;
}

/** Tries to create a table as a migration does, and rolls back. */
async function rightsOf(client: Client, { is_standby, is_read_only }: ServerRow): Promise<Diagnosis[]> {
  if (is_standby || is_read_only) return [];
  try {
    await client.query('BEGIN');
    await client.query('CREATE TABLE doctor_probe (id integer)');
    return [];
  } catch (error) {
    return [
      report.fault(
        `The role may not create tables (${messageOf(error)}), so the gateway cannot migrate the database.`,
        'Make it the owner of the database, or GRANT CREATE, USAGE ON SCHEMA public TO it.',
      ),
    ];
  } finally {
    await client.query('ROLLBACK');
  }
}

const UNUSABLE = `
  SELECT relname AS name FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT (
    has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT')
    AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE'))
  ORDER BY relname`;
const FOREIGN = `
  SELECT relname AS name FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT pg_has_role(relowner, 'USAGE')
  ORDER BY relname`;

/**
 * Checks that the role may use the existing tables, and change them in the next upgrade. Another role may
 * have created them.
 */
export async function checkTables(client: Client): Promise<Diagnosis[]> {
  const namesOf = async (sql: string) =>
    (await client.query<{ name: string }>(sql)).rows.map(({ name }) => name);
  const unusable = await namesOf(UNUSABLE);
  if (unusable.length > 0)
    return [
      report.fault(
        `The role may not read and write ${listed(unusable)}.`,
        'Make it the owner of the tables (REASSIGN OWNED BY … TO …).',
      ),
    ];
  const foreign = await namesOf(FOREIGN);
  return foreign.length === 0
    ? []
    : [
        report.warning(
          `The role is not the owner of ${listed(foreign)}: a later migration that changes them would fail.`,
          'Make it the owner of the tables (REASSIGN OWNED BY … TO …).',
        ),
      ];
}

function listed([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? `the table ${first}` : `the table ${first} and ${others.length} more`;
}

function warningsOf(row: ServerRow, { process: { workers }, database }: Examined['settings']): Diagnosis[] {
  const found: Diagnosis[] = [];
  if (row.is_superuser)
    found.push(
      report.warning(
        'The role is a superuser, which could change recordings unseen.',
        'Give the gateway a role of its own that owns its database and nothing else.',
      ),
    );
  if (row.is_encrypted === false && !row.is_local)
    found.push(
      report.warning(
        'The connection to the database is not encrypted.',
        'Add ?sslmode=verify-full to DATABASE_URL (and sslrootcert, if your own authority signed).',
      ),
    );
  if (row.fsync === 'off' || row.synchronous_commit === 'off')
    found.push(
      report.warning(
        `The server has ${row.fsync === 'off' ? 'fsync' : 'synchronous_commit'}=off: what it acknowledged is lost when it crashes.`,
        'Turn it on.',
      ),
    );
  const wanted = workers * (database.poolSize + BESIDE_THE_POOL);
  if (row.free_connections < wanted)
    found.push(
      report.warning(
        `The server has ${row.free_connections} connections left, and this gateway may open ${wanted}.`,
        'Raise max_connections of the server, or lower DATABASE_POOL_SIZE or WORKERS.',
      ),
    );
  return found;
}

function clockOf(aheadMs: number): Diagnosis[] {
  if (Math.abs(aheadMs) <= CLOCK_MAY_DIFFER_MS) return [];
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  return [
    report.warning(
      `The clock of the database is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} that of this machine.`,
      'Synchronize both (NTP): times in recordings and the end of tokens depend on them.',
    ),
  ];
}

const migrationReport = new Reporter('migrations');

/** Checks that the database has the schema of this program version. Changes nothing. */
export async function checkMigrations(client: Client, { settings }: Examined): Promise<Diagnosis[]> {
  const { pending, newer, last } = await migrationState(
    async (sql) => (await client.query<{ name: string }>(sql)).rows,
  );
  if (newer.length > 0) {
    const message = `A newer version of the gateway has migrated this database (${newer.join(', ')}).`;
    return settings.database.allowNewerSchema
      ? [
          migrationReport.warning(
            message,
            'Unset ALLOW_NEWER_SCHEMA as soon as that version runs everywhere.',
          ),
        ]
      : [migrationReport.fault(message, 'Start that version.')];
  }
  if (pending.length === 0)
    return [migrationReport.ok(`The schema of the database is that of this version (${SCHEMA_VERSION}).`)];
  return [
    migrationReport.ok(
      `The schema of the database is ${last ?? 'not there yet'}: ${pending.length} migrations have not run yet; the next start of a gateway of this version runs them.`,
    ),
  ];
}
