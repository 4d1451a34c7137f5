import type { TestDatabase } from '../database';

/**
 * The text format of COPY, in which rows are sent, recorded and shown as text: PostgreSQL documentation,
 * COPY, "Text Format".
 */
export function copied(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('\t', '\\t')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r');
}

/** Bytes of an identifier of PostgreSQL (NAMEDATALEN). Longer ones are cut. */
export const IDENTIFIER_BYTES = 63;

/**
 * A database that sends strings: as rows of `hostile`, as names of columns of `names_<field>`, as notices of
 * `say(field, since, until)`, and as errors of `fail(message, detail, hint)`.
 */
export async function furnishDatabase(database: TestDatabase): Promise<void> {
  await database.query(`
    CREATE TABLE hostile (field text, at int, text text, PRIMARY KEY (field, at));
    CREATE FUNCTION say(wanted text, since int DEFAULT 1, until int DEFAULT 1000, pause float DEFAULT 0) RETURNS int LANGUAGE plpgsql AS $$
      DECLARE one text;
      BEGIN
        FOR one IN SELECT text FROM hostile WHERE field = wanted AND at BETWEEN since AND until ORDER BY at LOOP
          RAISE NOTICE '%', one;
          PERFORM pg_sleep(pause);
        END LOOP;
        RETURN 1;
      END $$;
    CREATE FUNCTION together(wanted text) RETURNS text LANGUAGE sql AS
      $$ SELECT coalesce(string_agg(text, ' ' ORDER BY at), '') FROM hostile WHERE field = wanted $$;
    CREATE FUNCTION fail(message text, detail text, hint text) RETURNS int LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION USING MESSAGE = together(message), DETAIL = together(detail), HINT = together(hint);
      END $$;
  `);
}

/** Rows of `hostile`, counted from 1. They may be there already, where a test is repeated. */
export async function storeTexts(
  database: TestDatabase,
  field: string,
  texts: readonly string[],
): Promise<void> {
  await database.query(
    `INSERT INTO hostile SELECT $1, at, text FROM unnest($2::text[]) WITH ORDINALITY AS one (text, at)
     ON CONFLICT DO NOTHING`,
    [field, texts],
  );
}

/** A view whose columns have these names, each with its place as value. */
export async function nameColumns(
  database: TestDatabase,
  field: string,
  names: readonly string[],
): Promise<void> {
  const columns = names.map((name, at) => `${at} AS "${name.replaceAll('"', '""')}"`);
  await database.query(`CREATE OR REPLACE VIEW names_${field} AS SELECT ${columns.join(', ')}`);
}
