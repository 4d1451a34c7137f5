import { Client } from 'pg';
import { freshDatabase, type TestDatabase } from '../../../support/database';
import { ask } from '../target-world';
import { TextRun } from '../text-run';
import type { HiddenCall } from './calls';

/**
 * SQL that creates the test database. Each read of the view `secrets` advances the sequence `seen`, which a
 * rollback does not undo. Many real databases have helper functions with these names.
 */
const WORLD = `
  CREATE SEQUENCE seen; CREATE SEQUENCE counter;
  CREATE VIEW secrets AS SELECT 1 AS id, 'S3CR3T'::text AS token, 'root'::text AS owner WHERE nextval('seen') > 0;
  CREATE TABLE notes (id int, body text); INSERT INTO notes VALUES (1, 'hello'), (2, 'world');
  CREATE TABLE orders (id int PRIMARY KEY, customer text); INSERT INTO orders VALUES (1, 'Grace');
  CREATE TABLE jobs (id int, schedule text, exec text, execute text, eval text, exec_sql text, resolve text, run_query text);
  INSERT INTO jobs VALUES (1);
  CREATE PROCEDURE promote(who text) LANGUAGE sql AS $$ SELECT who $$;
  CREATE TYPE holder AS (t text);
  CREATE EXTENSION dblink; CREATE EXTENSION tablefunc; CREATE EXTENSION xml2;
  CREATE FUNCTION exec_sql(a text) RETURNS text LANGUAGE plpgsql AS 'DECLARE r text; BEGIN EXECUTE a INTO r; RETURN r; END';
  CREATE FUNCTION execute(a text) RETURNS text LANGUAGE sql AS 'SELECT exec_sql(a)';
  CREATE FUNCTION eval(a text, b text DEFAULT '') RETURNS text LANGUAGE sql AS 'SELECT exec_sql(a)';
  CREATE FUNCTION run_query(VARIADIC a text[]) RETURNS text LANGUAGE sql AS 'SELECT exec_sql(a[1])';
  GRANT CREATE, USAGE ON SCHEMA public TO PUBLIC; GRANT SELECT ON ALL TABLES IN SCHEMA public TO PUBLIC;
  GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO PUBLIC;
`;

/** Runs texts on a real PostgreSQL, each in a transaction that is rolled back. */
export class HiddenLane {
  private constructor(
    private readonly database: TestDatabase,
    private readonly client: Client,
  ) {}

  static async open(): Promise<HiddenLane> {
    const database = await freshDatabase('empty');
    await database.query(WORLD);
    await database
      .query('CREATE ROLE corpus_reader')
      .catch((error: { code?: string }) => (error.code === '42710' ? undefined : Promise.reject(error)));
    const client = new Client({
      connectionString: database.url,
      statement_timeout: 20_000,
      lock_timeout: 20_000,
    });
    client.on('error', () => undefined);
    await client.connect();
    return new HiddenLane(database, client);
  }

  /** Whether the text, run as the gateway runs it, has the effect of the call. */
  async hasEffect(call: HiddenCall, text: string): Promise<boolean> {
    await this.client.query('BEGIN');
    let didIt: boolean;
    try {
      if (call.prelude !== '') await this.client.query(this.filled(call.prelude));
      await this.client.query(`SELECT setval('seen', 1, false)`);
      const { output } = await this.run(text);
      didIt = call.output !== undefined && output.includes(call.output);
      if (call.probe !== undefined) didIt = await ask(this.client, call.probe);
    } finally {
      await this.client.query('ROLLBACK');
    }
    if (call.probe === undefined && call.output === undefined)
      didIt = await ask(this.client, 'SELECT is_called FROM seen');
    await this.client.query('SELECT pg_advisory_unlock_all()');
    await this.client.query('DISCARD ALL');
    return didIt;
  }

  /** Whether PostgreSQL runs the text without an error. */
  async runs(text: string): Promise<boolean> {
    return this.client.query(text).then(
      () => true,
      () => false,
    );
  }

  async close(): Promise<void> {
    await this.client.end();
    await this.database.drop();
  }

  private async run(text: string): Promise<TextRun> {
    const query = new TextRun(this.filled(text));
    this.client.query(query);
    await query.done;
    return query;
  }

  private filled(text: string): string {
    const { hostname, port, username, password, pathname } = new URL(this.database.url);
    const dsn = `host=${hostname} port=${port} user=${username} password=${password} dbname=${pathname.slice(1)}`;
    return text.replaceAll('{dsn}', dsn);
  }
}
