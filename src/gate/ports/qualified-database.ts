import { normalizedName } from '../../kernel/text/names';

/** A connection, with the name that its database has at the target. */
export interface DatabaseOfConnection {
  /** Id of the connection; a UUID, in lower case. */
  readonly id: string;
  /** Name of the connection. */
  readonly name: string;
  readonly database: string;
}

/** Returns `database@connection`, the text with which a client names a database and its connection. */
export function qualifiedDatabase({ database, name }: DatabaseOfConnection): string {
  return `${database}@${name}`;
}

/**
 * Whether a text is `database@connection`, with the name or the id of the connection. Both names may contain
 * `@`, so the text alone does not show where the first one ends. Database names are compared exactly, as
 * servers do; connection names are normalized first, as everywhere (`normalizedName`).
 */
export function isQualifiedDatabase(text: string, { database, name, id }: DatabaseOfConnection): boolean {
  if (!text.startsWith(`${database}@`)) return false;
  const connection = normalizedName(text.slice(database.length + 1));
  return connection === name || connection.toLowerCase() === id;
}
