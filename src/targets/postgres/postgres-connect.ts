import type { Client } from 'pg';
import { processIdOf } from './driver-parts';
import { signInAtTarget } from './sign-in';
import type { PostgresSecret } from './target-tls';

/** Connects to the target with the driver. @throws see `signIn`. */
export async function connectPostgres(secret: PostgresSecret): Promise<Client> {
  const parameters = [['application_name', 'access-gateway']] as const;
  const { client, connection } = await signInAtTarget(secret, { parameters, protocolMinor: 0 });
  connection.resumeDriver();
  return client;
}

/** Asks the server, on a separate connection, to cancel what the client runs. */
export async function cancelPostgres(secret: PostgresSecret, client: Client): Promise<void> {
  const processId = processIdOf(client);
  if (processId === null) return;
  const helper = await connectPostgres(secret);
  try {
    await helper.query('SELECT pg_cancel_backend($1)', [processId]);
  } finally {
    await helper.end();
  }
}
