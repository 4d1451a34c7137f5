import { KeyRing } from '../../src/platform/keys/key-ring';
import type { TestDatabase } from './database';

/**
 * Returns the columns, as `table.column`, that contain a value sealed with one of these keys of `SECRET_KEY`.
 * Searches all columns of type bytea.
 */
export async function columnsSealedBy(
  database: TestDatabase,
  ...secretKeys: readonly string[]
): Promise<string[]> {
  const columns = await database.query<{ table: string; column: string }>(
    `SELECT relname AS table, attname AS column FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND atttypid = 'bytea'::regtype AND NOT attisdropped`,
  );
  const beginnings = secretKeys.map((key) => `01${sealingIdOf(key)}`);
  const holding: string[] = [];
  for (const { table, column } of columns) {
    const [row] = await database.query<{ found: boolean }>(
      `SELECT EXISTS (SELECT FROM ${table} WHERE encode(substring(${column} FROM 1 FOR 5), 'hex') = ANY ($1)) AS found`,
      [beginnings],
    );
    if (row?.found === true) holding.push(`${table}.${column}`);
  }
  return holding.sort();
}

/** Stored id of the key. Every value that it seals is stored with this id. */
export function sealingIdOf(secretKey: string): string {
  return new KeyRing([Buffer.from(secretKey, 'base64')]).current.id;
}
