import type { Context } from '../context.js';
import { strictArgument } from '../text-file.js';
import { type AccessOptions, obtainAccess, withAccess } from './access.js';
import { runClient } from './client-program.js';

/** `gateway credentials`: prints a credential with its password. */
export async function credentials(
  context: Context,
  connection: string,
  options: AccessOptions,
): Promise<void> {
  const { issued, login } = await obtainAccess(context, connection, options);
  const { hostname: host, port, username: user, password, database_name: database } = login;
  context.output.fields(issued, { host, port, user, password, database, until: issued.expire_at });
}

/**
 * `gateway psql`: returns the exit code of psql. Passes the password in the environment, never in arguments.
 */
export async function psql(
  context: Context,
  connection: string,
  args: readonly string[],
  options: AccessOptions,
): Promise<number> {
  const checked = args.map(strictArgument);
  return withAccess(context, connection, 'postgres', options, (login) =>
    runClient('psql', checked, {
      PGHOST: login.hostname,
      PGPORT: String(login.port),
      PGUSER: login.username,
      PGPASSWORD: login.password,
      PGDATABASE: login.database_name,
      ...encryption(login.connection_string),
    }),
  );
}

/**
 * Returns the `PGSSLMODE` for psql, unless the user has set it. With psql's default, `prefer`, an attacker on
 * the network can claim that the server has no TLS, and can then make psql reveal the password.
 */
function encryption(connectionString: string): Record<string, string> {
  const mode = new URL(connectionString).searchParams.get('sslmode');
  return mode === null || process.env['PGSSLMODE'] !== undefined ? {} : { PGSSLMODE: mode };
}
