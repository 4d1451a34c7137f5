import type { Client } from 'pg';
import { settlesWithin } from '../../kernel/async/timeout';
import { processIdOf, streamOf } from './driver-parts';
import { signInAtTarget } from './sign-in';
import { asAccount } from './target-role';
import type { PostgresSecret } from './target-tls';

/** Maximum size of all answers to the gateway's own queries, which the driver keeps in memory. */
const MAX_ANSWER_BYTES = 1024 * 1024;
/** Maximum time for the answer to a request to cancel. */
const CANCEL_WITHIN_MS = 5_000;
/** Maximum time that a target may take to close a connection. */
const CLOSE_WITHIN_MS = 1_000;

/**
 * Returns the name of the gateway's connection at the target (`pg_stat_activity`, `%a` in its log), with the
 * trace context of the script. PostgreSQL truncates names to 63 bytes (NAMEDATALEN): 8 for the prefix and 55
 * for a trace context.
 */
export function applicationName(traceparent?: string): string {
  return traceparent === undefined ? 'access-gateway' : `gateway ${traceparent}`;
}

/**
 * Connects to the target with the driver. Until a script is sent, a target that answers with more than
 * `MAX_ANSWER_BYTES` loses the connection.
 * @throws the errors of `signInAtTarget`.
 */
export async function connectPostgres(secret: PostgresSecret, traceparent?: string): Promise<Client> {
  const parameters = [['application_name', applicationName(traceparent)]] as const;
  const { client, connection } = await signInAtTarget(secret, { parameters, protocolMinor: 0 });
  connection.resumeDriver(MAX_ANSWER_BYTES);
  return client;
}

/** Cancels the running statement of the client, on a separate connection. */
export async function cancelPostgres(secret: PostgresSecret, client: Client): Promise<void> {
  const processId = processIdOf(client);
  if (processId === null) return;
  const helper = await connectPostgres(asAccount(secret));
  await settlesWithin(helper.query('SELECT pg_cancel_backend($1)', [processId]), CANCEL_WITHIN_MS);
  await closePostgres(helper);
}

/**
 * Sends Terminate, and resolves when the connection is closed. Closes the connection itself if a query still
 * runs, or if the target does not close it in time. Never rejects.
 */
export async function closePostgres(client: Client): Promise<void> {
  if (!(await settlesWithin(client.end(), CLOSE_WITHIN_MS))) streamOf(client).destroy();
}
