import type { TestDatabase } from '../database';

/**
 * Escapes a text as the text format of COPY does (PostgreSQL documentation, COPY, "Text Format"). Rows are
 * sent, recorded and shown in this format.
 */
export function copied(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('\t', '\\t')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r');
}

/** Maximum bytes of an identifier in PostgreSQL (NAMEDATALEN - 1). Longer identifiers are truncated. */
export const IDENTIFIER_BYTES = 63;

/**
 * Prepares a database that sends stored strings: as rows of `hostile`, as column names of `names_<field>`, as
 * notices of `say(field, since, until)`, and as errors of `fail(message, detail, hint)`.
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

/** Stores texts as rows of `hostile`, numbered from 1. In a repeated test, the rows may exist already. */
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

/** Creates a view whose columns have these names. The value of each column is its position, from 0. */
export async function nameColumns(
  database: TestDatabase,
  field: string,
  names: readonly string[],
): Promise<void> {
  const columns = names.map((name, at) => `${at} AS "${name.replaceAll('"', '""')}"`);
  await database.query(`CREATE OR REPLACE VIEW names_${field} AS SELECT ${columns.join(', ')}`);
}
