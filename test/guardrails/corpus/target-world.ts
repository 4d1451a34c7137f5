import { Client } from 'pg';
import { freshDatabase, type TestDatabase } from '../../support/database';
import { WORLD } from './world';

const TIME_LIMIT_MS = 5_000;

/** State that a restore of the schemas does not restore. */
const FINGERPRINT = `SELECT concat_ws(' ',
  (SELECT string_agg(nspname, ',' ORDER BY nspname) FROM pg_namespace WHERE nspname !~ '^pg_'),
  (SELECT sum(hashtext(proname)::bigint) FROM pg_proc WHERE oid < 16384),
  (SELECT count(*) FROM pg_extension), (SELECT count(*) FROM pg_event_trigger), (SELECT count(*) FROM pg_cast),
  (SELECT count(*) FROM pg_operator), (SELECT count(*) FROM pg_language), (SELECT count(*) FROM pg_db_role_setting),
  (SELECT count(*) FROM pg_largeobject_metadata)) AS it`;

/** A database with the corpus' tables, which can be created again. */
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

  /** A session as the gateway would have it. */
  connect(): Promise<Client> {
    return connectTo(this.database.url);
  }

  /** Connection string with which another session of the server reaches this database. */
  get dsn(): string {
    const { hostname, port, username, password, pathname } = new URL(this.database.url);
    return `host=${hostname} port=${port} user=${username} password=${password} dbname=${pathname.slice(1)}`;
  }

  /** Runs SQL as a user without rules. */
  async change(sql: string): Promise<void> {
    await this.admin.query(sql);
  }

  /** Asks for one boolean, by a session of its own. */
  ask(probe: string): Promise<boolean> {
    return ask(this.admin, probe);
  }

  /** Takes back what was committed: in place, or where that is not enough as another database. */
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
      // Whatever it was, a new database does not have it.
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
 * A probe that fails finds no effect: what it looks at is not there, or the
 * text failed and nothing of it stays.
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
  // Some texts cost their session; the next one gets another.
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
