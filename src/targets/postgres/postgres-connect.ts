import type { Client } from 'pg';
import { signIn } from './sign-in';
import type { PostgresSecret } from './target-tls';

/** Dials the target for the driver's own use. @throws see `signIn`. */
export async function connectPostgres(secret: PostgresSecret): Promise<Client> {
  const parameters = [['application_name', 'access-gateway']] as const;
  const { client, connection } = await signIn(secret, { parameters, protocolMinor: 0 });
  connection.goOn();
  return client;
}

/** The socket under a client: the driver offers no other way to hang up at once. */
export function streamOf(client: Client): { destroy(): void } {
  return (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream;
}

/** Asks the server to stop what the client runs, over a connection of its own. */
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
