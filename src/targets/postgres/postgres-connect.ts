import type { Client } from 'pg';
import { processIdOf } from './driver-parts';
import { signInAtTarget } from './sign-in';
import { asAccount } from './target-role';
import type { PostgresSecret } from './target-tls';

/**
 * Returns the name of the gateway's connection at the target (`pg_stat_activity`, `%a` in its log), with the
 * trace context of the script. PostgreSQL truncates names to 63 bytes (NAMEDATALEN). A trace context has 55.
 */
export function applicationName(traceparent?: string): string {
  return traceparent === undefined ? 'access-gateway' : `gateway ${traceparent}`;
}

/** Connects to the target with the driver. @throws the errors of `signInAtTarget`. */
export async function connectPostgres(secret: PostgresSecret, traceparent?: string): Promise<Client> {
  const parameters = [['application_name', applicationName(traceparent)]] as const;
  const { client, connection } = await signInAtTarget(secret, { parameters, protocolMinor: 0 });
  connection.resumeDriver();
  return client;
}

/** Cancels the running statement of the client, on a separate connection. */
export async function cancelPostgres(secret: PostgresSecret, client: Client): Promise<void> {
  const processId = processIdOf(client);
  if (processId === null) return;
  const helper = await connectPostgres(asAccount(secret));
  try {
    await helper.query('SELECT pg_cancel_backend($1)', [processId]);
  } finally {
    await helper.end();
  }
}
