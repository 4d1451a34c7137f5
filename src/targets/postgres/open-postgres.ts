import { type Client, DatabaseError } from 'pg';
import type { OpenTarget } from '../contract/script-runner';
import { applicationName, closePostgres, connectPostgres } from './postgres-connect';
import type { PostgresSecret } from './target-tls';

/**
 * Selects how many more connections the server, the database and the role allow: the smallest of the three.
 * Counts sessions by `datid`, because a user sees each session, but not always its type.
 */
const ROOM = `
  SELECT least(
    pg_catalog.current_setting('max_connections')::int
      - pg_catalog.current_setting('superuser_reserved_connections')::int
      - coalesce(pg_catalog.current_setting('reserved_connections', true)::int, 0)
      - (SELECT count(*) FROM pg_catalog.pg_stat_activity WHERE datid IS NOT NULL),
    (SELECT nullif(datconnlimit, -1) FROM pg_catalog.pg_database WHERE datname = current_database())
      - (SELECT count(*) FROM pg_catalog.pg_stat_activity WHERE datname = current_database()),
    (SELECT nullif(rolconnlimit, -1) FROM pg_catalog.pg_roles WHERE rolname = session_user)
      - (SELECT count(*) FROM pg_catalog.pg_stat_activity WHERE usename = session_user)
  )::int AS room`;

/** An open session on a PostgreSQL target, for a script. The session has run no script yet. */
export class OpenPostgres implements OpenTarget {
  isOpen = true;

  constructor(readonly client: Client) {
    const ended = (): void => {
      this.isOpen = false;
    };
    client.once('end', ended).once('error', ended);
  }

  static async dial(secret: PostgresSecret): Promise<OpenPostgres> {
    return new OpenPostgres(await connectPostgres(secret));
  }

  /** Sends Terminate, and does not wait for an answer. */
  close(): void {
    this.isOpen = false;
    void closePostgres(this.client);
  }
}

/** Options of the queries that the gateway itself sends on an open connection before its script. */
export interface AskedBefore {
  /** The trace context by which the connection is named at the target. */
  readonly traceparent?: string | undefined;
  readonly isRoomAsked: boolean;
}

/**
 * Sends the gateway's queries, one after another. Resolves with the number of further connections that the
 * target accepts for this user; with 0 if the number is not wanted or the target refuses the query; with
 * undefined if the connection is lost. Never rejects.
 */
export async function askedBefore(
  client: Client,
  { traceparent, isRoomAsked }: AskedBefore,
): Promise<number | undefined> {
  // A trace context has no quotes: `traceparentIn` has checked it.
  const name = traceparent && `SET application_name = '${applicationName(traceparent)}'`;
  if (name && (await answerTo(client, name)) === undefined) return undefined;
  if (!isRoomAsked) return 0;
  const rows = await answerTo(client, ROOM);
  return rows && (rows[0]?.room ?? 0);
}

/** Resolves with no rows if the target refuses the query, and with undefined if the connection is lost. */
async function answerTo(
  client: Client,
  question: string,
): Promise<readonly { readonly room?: number }[] | undefined> {
  try {
    return (await client.query<{ room?: number }>(question)).rows;
  } catch (error) {
    if (!(error instanceof DatabaseError)) return undefined;
    // After a fatal error, the connection ends a little later, so an empty query shows whether it is open.
    return client.query('').then(
      () => [],
      () => undefined,
    );
  }
}
