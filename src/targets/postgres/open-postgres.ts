import type { Client } from 'pg';
import { resultWithin } from '../../kernel/async/timeout';
import type { OpenTarget } from '../contract/script-runner';
import { closePostgres, connectPostgres } from './postgres-connect';
import type { PostgresSecret } from './target-tls';

/** Time-out of the query `ROOM`, because the script waits for it. */
const ROOM_WITHIN_MS = 1_000;

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

/**
 * Resolves with the number of further connections that the target accepts for this user; 0 if the question
 * fails; undefined if no answer comes in time, so that a script would wait behind the question. Never
 * rejects.
 */
export async function roomAt(client: Client): Promise<number | undefined> {
  const asked = client.query<{ room: number }>(ROOM).then(
    ({ rows }) => rows[0]?.room ?? 0,
    () => 0,
  );
  return resultWithin(asked, ROOM_WITHIN_MS);
}
