import { normalizedName } from '../../kernel/text/names';

/** A connection, and its database as the target itself calls it. */
export interface DatabaseOfConnection {
  /** Id of the connection; a UUID, in lower case. */
  readonly id: string;
  /** Name of the connection. */
  readonly name: string;
  readonly database: string;
}

/** `database@connection`, by which a client names both. */
export function qualifiedDatabase({ database, name }: DatabaseOfConnection): string {
  return `${database}@${name}`;
}

/**
 * Whether a text is `database@connection`, with the name or the id of the connection. Both names may contain
 * `@`, so the text itself does not show where one ends. Names of databases are compared as servers do, letter
 * by letter; names of connections as everywhere.
 */
export function isQualifiedDatabase(text: string, { database, name, id }: DatabaseOfConnection): boolean {
  if (!text.startsWith(`${database}@`)) return false;
  const connection = normalizedName(text.slice(database.length + 1));
  return connection === name || connection.toLowerCase() === id;
}
