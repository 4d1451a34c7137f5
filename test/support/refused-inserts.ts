interface Queried {
  query(sql: string, values?: unknown[]): Promise<unknown>;
}

/**
 * Inserts into a table of the gateway's database that fail for a while. What makes them fail is a row: a
 * trigger that came or went while the gateway writes would wait for the gateway, which may wait for it. So it
 * is made in a `beforeAll`, before anything is asked.
 */
export class RefusedInserts {
  private constructor(
    private readonly database: Queried,
    private readonly name: string,
  ) {}

  /**
   * @param when of a new row, `NEW`: whether it may be refused. @param key of a new row: what `begin` has to
   * name. @param name where one table has several
   */
  static async on(
    database: Queried,
    table: string,
    {
      when = 'true',
      name = table,
      key = `'${name}'`,
    }: { readonly when?: string; readonly name?: string; readonly key?: string } = {},
  ): Promise<RefusedInserts> {
    await database.query(
      `CREATE TABLE IF NOT EXISTS refused_inserts (name text);
       CREATE FUNCTION refuse_${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF EXISTS (SELECT FROM refused_inserts WHERE name = ${key}) AND ${when} THEN RAISE 'disk full'; END IF;
         RETURN NEW; END $$;
       CREATE TRIGGER refuse_${name} BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse_${name}()`,
    );
    return new RefusedInserts(database, name);
  }

  async begin(key = this.name): Promise<void> {
    await this.database.query('INSERT INTO refused_inserts VALUES ($1)', [key]);
  }

  async end(key = this.name): Promise<void> {
    await this.database.query('DELETE FROM refused_inserts WHERE name = $1', [key]);
  }

  async during(work: () => Promise<void>): Promise<void> {
    await this.begin();
    try {
      await work();
    } finally {
      await this.end();
    }
  }
}
