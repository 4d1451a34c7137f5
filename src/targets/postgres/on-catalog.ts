import type { Client } from 'pg';
import { streamOf } from './driver-parts';
import { closePostgres } from './postgres-connect';
import { signInAtTarget } from './sign-in';
import type { PostgresSecret } from './target-tls';

/**
 * Maximum total size of all answers of a target. It is limited, because the driver keeps them in memory. Ten
 * thousand tables take about 2 MB.
 */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/**
 * Queries a target's catalog on a connection of the gateway's own, so that sessions of clients, with their
 * transactions and settings, are not affected. It cannot see uncommitted changes.
 * @param name application name, which the target's administrators see.
 * @throws the errors of `signInAtTarget`, and of `ask`.
 */
export async function onCatalog<T>(
  secret: PostgresSecret,
  name: string,
  signal: AbortSignal,
  ask: (client: Client) => Promise<T>,
): Promise<T> {
  const greeting = { parameters: [['application_name', name]], protocolMinor: 0 } as const;
  const { client, connection } = await signInAtTarget(secret, greeting, signal);
  const stop = (): void => streamOf(client).destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    connection.resumeDriver(MAX_ANSWER_BYTES);
    return await ask(client);
  } finally {
    signal.removeEventListener('abort', stop);
    // The caller need not wait for the connection to close.
    void closePostgres(client);
  }
}
