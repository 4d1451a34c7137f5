/** The database of a test gateway. */
interface Database {
  query(sql: string): Promise<unknown>;
}

/**
 * Makes the next update of a column fail as in a restart of the database. Returns a function that removes the
 * trigger, and must be called.
 */
export async function outageOnce(
  database: Database,
  table: string,
  column: string,
): Promise<() => Promise<void>> {
  // A sequence counts the attempts, because its value remains when the transaction is rolled back.
  await database.query(`
    CREATE SEQUENCE attempts;
    CREATE FUNCTION fail_once() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('attempts') = 1 THEN
          RAISE 'the database system is shutting down' USING ERRCODE = '57P01';
        END IF;
        RETURN new;
      END $$;
    CREATE TRIGGER outage BEFORE UPDATE OF ${column} ON ${table} FOR EACH ROW EXECUTE FUNCTION fail_once()`);
  return async () => {
    await database.query(`DROP TRIGGER outage ON ${table}; DROP FUNCTION fail_once; DROP SEQUENCE attempts`);
  };
}
