import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { type Gateway, type components, answered } from '@access-gateway/client';
import type { Context } from '../context.js';
import { CommandFault, EXIT } from '../exit-codes.js';
import { type ApprovalOptions, approvalOf } from './approval.js';
import { strictArgument } from '../text-file.js';

type Issued = components['schemas']['IssuedCredentialView'];
type Access = NonNullable<components['schemas']['ConnectionCredentialsView']>;

export interface AccessOptions extends ApprovalOptions {
  readonly reason?: string;
  /** Lifetime of the credential, in seconds. */
  readonly duration?: number;
}

/** `gateway credentials`: prints a credential with its password. */
export async function credentials(
  context: Context,
  connection: string,
  options: AccessOptions,
): Promise<void> {
  const { issued, access } = await obtained(context, connection, options);
  const { hostname: host, port, username: user, password, database_name: database } = access;
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
  const { gateway } = context;
  const checked = args.map(strictArgument);
  const { issued, access } = await obtained(context, connection, options);
  try {
    return await client(checked, {
      PGHOST: access.hostname,
      PGPORT: String(access.port),
      PGUSER: access.username,
      PGPASSWORD: access.password,
      PGDATABASE: access.database_name,
      ...encryption(access.connection_string),
    });
  } finally {
    // Nobody has the password after psql ends, so revoke the credential. Not revoked after an approval,
    // because approved access stays usable until it expires.
    if (!issued.has_review) await revoke(gateway, connection, issued.id);
  }
}

async function obtained(
  context: Context,
  connection: string,
  { reason, duration, emergency }: AccessOptions,
): Promise<{ readonly issued: Issued; readonly access: Access }> {
  const { gateway, signal } = context;
  const body = {
    ...(reason === undefined ? {} : { reason }),
    ...(duration === undefined ? {} : { access_duration_seconds: duration }),
  };
  const request = (): Promise<Issued> =>
    answered(
      gateway.api.POST('/connections/{nameOrID}/credentials', {
        params: { path: { nameOrID: connection } },
        body,
        signal,
      }),
    );
  let issued = await request();
  if (!issued.connection_credentials && issued.review_id !== null) {
    await approvalOf(context, issued.review_id, emergency === undefined ? {} : { emergency });
    issued = await request();
  }
  const { connection_credentials: access } = issued;
  if (!access) throw new CommandFault('the access is not approved', EXIT.refused);
  return { issued, access };
}

/**
 * Returns the `PGSSLMODE` for psql, unless the user has set it. With psql's default, `prefer`, an attacker on
 * the network can claim that the server has no TLS, and can then make psql reveal the password.
 */
function encryption(connectionString: string): Record<string, string> {
  const mode = new URL(connectionString).searchParams.get('sslmode');
  return mode === null || process.env['PGSSLMODE'] !== undefined ? {} : { PGSSLMODE: mode };
}

function client(args: readonly string[], variables: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn('psql', args, { stdio: 'inherit', env: { ...process.env, ...variables } });
    // Ctrl-C in a terminal also reaches psql, which then cancels the statement. So this program ignores it.
    const ignore = (): void => undefined;
    const passOn = (): void => void child.kill('SIGTERM');
    process.on('SIGINT', ignore).on('SIGTERM', passOn);
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'ENOENT'
          ? new CommandFault('psql is not installed, or not in PATH', EXIT.unavailable)
          : error,
      ),
    );
    child.once('close', (code, signal) => {
      process.off('SIGINT', ignore).off('SIGTERM', passOn);
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

async function revoke(gateway: Gateway, nameOrID: string, id: string): Promise<void> {
  await gateway.api.POST('/connections/{nameOrID}/credentials/{id}/revoke', {
    params: { path: { nameOrID, id } },
  });
}
