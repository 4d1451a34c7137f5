import { Client } from 'pg';
import { freshDatabase, type TestDatabase } from '../../support/database';
import { WORLD } from './world';

const TIME_LIMIT_MS = 5_000;

/** Query for state that dropping and creating the schemas does not restore. */
const FINGERPRINT = `SELECT concat_ws(' ',
  (SELECT string_agg(nspname, ',' ORDER BY nspname) FROM pg_namespace WHERE nspname !~ '^pg_'),
  (SELECT sum(hashtext(proname)::bigint) FROM pg_proc WHERE oid < 16384),
  (SELECT count(*) FROM pg_extension), (SELECT count(*) FROM pg_event_trigger), (SELECT count(*) FROM pg_cast),
  (SELECT count(*) FROM pg_operator), (SELECT count(*) FROM pg_language), (SELECT count(*) FROM pg_db_role_setting),
  (SELECT count(*) FROM pg_largeobject_metadata)) AS it`;

/** A database with the tables of the corpus. `renew` restores it. */
export class TargetWorld {
  private constructor(
    private database: TestDatabase,
    private admin: Client,
    private readonly fingerprint: string,
  ) {}

  static async create(): Promise<TargetWorld> {
    const database = await freshDatabase('empty');
    await database.query(WORLD);
    const admin = await adminOf(database.url);
    return new TargetWorld(database, admin, await fingerprintOf(admin));
  }

  /** Opens a session with the same settings as a session of the gateway. */
  connect(): Promise<Client> {
    return connectTo(this.database.url);
  }

  /** Connection string by which SQL on the server, for example dblink, connects to this database. */
  get dsn(): string {
    const { hostname, port, username, password, pathname } = new URL(this.database.url);
    return `host=${hostname} port=${port} user=${username} password=${password} dbname=${pathname.slice(1)}`;
  }

  /** Runs SQL as a user without rules. */
  async change(sql: string): Promise<void> {
    await this.admin.query(sql);
  }

  /** Queries a boolean in a separate session. */
  ask(probe: string): Promise<boolean> {
    return ask(this.admin, probe);
  }

  /** Undoes committed changes: restores the schemas, or creates a new database if that is not enough. */
  async renew(): Promise<void> {
    try {
      const { rows } = await this.admin.query<{ nspname: string }>(
        `SELECT nspname FROM pg_namespace WHERE nspname IN ('public', 'vault', 'corpus')`,
      );
      const schemas = rows.map((row) => row.nspname).join(', ');
      await this.admin.query(
        `${schemas === '' ? '' : `DROP SCHEMA ${schemas} CASCADE;`} CREATE SCHEMA public; ${WORLD}`,
      );
      if ((await fingerprintOf(this.admin)) === this.fingerprint) return;
    } catch {
      // Ignores the error, because a new database is created next.
    }
    await this.drop();
    const other = await TargetWorld.create();
    this.database = other.database;
    this.admin = other.admin;
  }

  async drop(): Promise<void> {
    await this.admin.end();
    await this.database.drop();
  }
}

/**
 * Queries a boolean. A failed query counts as false: the object does not exist,
 * or the text failed and changed nothing.
 */
export async function ask(client: Client, probe: string): Promise<boolean> {
  try {
    const { rows } = await client.query<Record<string, boolean>>(probe);
    return Object.values(rows[0] ?? {})[0] === true;
  } catch {
    return false;
  }
}

async function connectTo(connectionString: string): Promise<Client> {
  const client = new Client({
    connectionString,
    statement_timeout: TIME_LIMIT_MS,
    lock_timeout: TIME_LIMIT_MS,
  });
  // Some texts end their session. The next text gets a new session.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function adminOf(url: string): Promise<Client> {
  const client = await connectTo(url);
  await client.query('SET event_triggers = off; SET client_min_messages = error');
  return client;
}

async function fingerprintOf(client: Client): Promise<string> {
  return (await client.query<{ it: string }>(FINGERPRINT)).rows[0]?.it ?? '';
}
