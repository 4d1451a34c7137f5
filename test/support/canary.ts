import type { TestDatabase } from './database';

/** The forms of a secret in a text: unchanged, in hex, and in base64 at any offset. */
export function spellings(secret: string): string[] {
  const base64 = [0, 1, 2].map((offset) =>
    Buffer.from(`${' '.repeat(offset)}${secret}`)
      .toString('base64')
      .slice(4, -4),
  );
  return [secret, Buffer.from(secret).toString('hex'), ...base64];
}

/** Every row of every table of a database, as text. */
export async function dump(database: TestDatabase): Promise<string> {
  const tables = await database.query<{ name: string }>(
    `SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await database.query<{ text: string }>(`SELECT t::text AS text FROM ${name} t`);
    texts.push(name, ...rows.map((row) => row.text));
  }
  return texts.join('\n');
}
