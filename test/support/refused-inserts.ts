interface Queried {
  query(sql: string, values?: unknown[]): Promise<unknown>;
}

/**
 * Makes inserts into a table of the gateway's database fail for a while. Its trigger reads a stored row that
 * switches the failures on and off, because creating or dropping a trigger while the gateway writes could
 * cause a deadlock. So create the object, and thereby the trigger, in a `beforeAll` before the first request.
 */
export class RefusedInserts {
  private constructor(
    private readonly database: Queried,
    private readonly name: string,
  ) {}

  /**
   * @param when SQL condition on the new row, `NEW`, for an insert that may fail
   * @param key SQL expression on the new row. After `begin(value)`, inserts for which the expression has this
   * value fail until `end(value)`.
   * @param name name of the trigger; needed if a table has several
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
