import type { Client } from 'pg';
import { signInAtTarget } from './sign-in';
import type { PostgresSecret } from './target-tls';

/** Connects to the target with the driver. @throws see `signIn`. */
export async function connectPostgres(secret: PostgresSecret): Promise<Client> {
  const parameters = [['application_name', 'access-gateway']] as const;
  const { client, connection } = await signInAtTarget(secret, { parameters, protocolMinor: 0 });
  connection.goOn();
  return client;
}

/** The socket of a client: the driver has no other way to close a connection at once. */
export function streamOf(client: Client): { destroy(): void } {
  return (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream;
}

/** Asks the server, on a separate connection, to cancel what the client runs. */
export async function cancelPostgres(secret: PostgresSecret, client: Client): Promise<void> {
  const { processID } = client as unknown as { processID: number | null };
  if (processID === null) return;
  const helper = await connectPostgres(secret);
  try {
    await helper.query('SELECT pg_cancel_backend($1)', [processID]);
  } finally {
    await helper.end();
  }
}
