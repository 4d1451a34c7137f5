import type { Client } from 'pg';
import { streamOf } from './postgres-connect';
import { signIn } from './sign-in';
import type { PostgresSecret } from './target-tls';

/**
 * Asks the catalog of a target on a connection of the gateway's own: the sessions of clients, their transactions and
 * settings are left alone, and what is not committed is not seen.
 * @param name of the application, as the target's administrators see it.
 * @throws as `signIn` does, and whatever `ask` throws.
 */
export async function onCatalog<T>(
  secret: PostgresSecret,
  name: string,
  signal: AbortSignal,
  ask: (client: Client) => Promise<T>,
): Promise<T> {
  const greeting = { parameters: [['application_name', name]], protocolMinor: 0 } as const;
  const { client, connection } = await signIn(secret, greeting, signal);
  const stop = (): void => streamOf(client).destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    connection.goOn();
    return await ask(client);
  } finally {
    signal.removeEventListener('abort', stop);
    // The answer does not wait for the goodbye.
    client.end().catch(() => undefined);
  }
}
