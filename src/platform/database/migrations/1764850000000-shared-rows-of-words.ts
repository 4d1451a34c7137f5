import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Short inputs share a row of `session_texts`, with a word between them that ends each (`recording/input-texts.ts`). This tells
 * them apart again: what is looked for has to be in one of them. Lexemes are letters and digits only, see `session_words`.
 */
export class SharedRowsOfWords1764850000000 implements MigrationInterface {
  name = 'SharedRowsOfWords1764850000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE FUNCTION session_inputs(words tsvector) RETURNS SETOF tsvector IMMUTABLE PARALLEL SAFE LANGUAGE sql AS $$
        WITH ends AS (SELECT positions::int[] AS places FROM unnest(words) WHERE lexeme = 'inputends')
        SELECT words WHERE NOT EXISTS (SELECT FROM ends)
        UNION ALL
        SELECT string_agg(format('''%s'':%s', lexeme, place), ' ')::tsvector
        FROM ends, unnest(words) AS word, unnest(word.positions) AS place
        WHERE lexeme <> 'inputends'
        GROUP BY width_bucket(place::int, places)
      $$`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP FUNCTION session_inputs');
  }
}
