import { Client, type ClientConfig } from 'pg';

const CONNECT_WITHIN_MS = 10_000;
/** A machine that died says nothing; the system's own two hours are too long to find out. */
const KEEP_ALIVE_AFTER_MS = 10_000;

type Secret = Readonly<Record<string, string>>;

/** Dials the target; like libpq, `prefer` (the default) tries TLS first and goes on without it. */
export async function connectPostgres(secret: Secret): Promise<Client> {
  const mode = secret['SSLMODE'] ?? 'prefer';
  if (mode === 'disable') return dial(secret, false);
  try {
    return await dial(secret, tls(secret, mode));
  } catch (error) {
    const noTls = error instanceof Error && error.message.includes('does not support SSL');
    if (mode === 'prefer' && noTls) return dial(secret, false);
    throw error;
  }
}

async function dial(secret: Secret, ssl: ClientConfig['ssl']): Promise<Client> {
  const client = new Client({
    host: secret['HOST'],
    port: Number(secret['PORT'] ?? 5432),
    user: secret['USER'],
    database: secret['DB'],
    // A function, because for an empty text the driver would look into the gateway's own environment.
    password: () => secret['PASS'] ?? '',
    ssl,
    application_name: 'access-gateway',
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
  });
  // Without a listener a lost connection would end the process; the running script hears of it by itself.
  client.on('error', () => undefined);
  const reported = parametersOf(client);
  try {
    await client.connect();
    await readStringsAsJudged(client, reported);
    return client;
  } catch (error) {
    // A server that refuses may leave the line open; the driver does not hang up by itself.
    streamOf(client).destroy();
    throw error;
  }
}

/**
 * A guard rail reads `\` in strings as the SQL standard does, and where a target's default is otherwise, the same
 * text would mean something else there.
 */
async function readStringsAsJudged(client: Client, reported: ReadonlyMap<string, string>): Promise<void> {
  if (reported.get('standard_conforming_strings') === 'off')
    await client.query('SET standard_conforming_strings = on');
}

/** What the server reports of its settings while somebody signs in; the driver keeps none of it. */
function parametersOf(client: Client): ReadonlyMap<string, string> {
  const reported = new Map<string, string>();
  const { connection } = client as unknown as {
    connection: {
      on(event: string, listener: (message: { parameterName: string; parameterValue: string }) => void): void;
    };
  };
  connection.on('parameterStatus', ({ parameterName, parameterValue }) =>
    reported.set(parameterName, parameterValue),
  );
  return reported;
}

function tls(secret: Secret, mode: string): ClientConfig['ssl'] {
  const ca = secret['SSLROOTCERT'] ? { ca: secret['SSLROOTCERT'] } : {};
  switch (mode) {
    case 'verify-full':
      return { ...ca, rejectUnauthorized: true };
    case 'verify-ca':
      return { ...ca, rejectUnauthorized: true, checkServerIdentity: () => undefined };
    default:
      return { rejectUnauthorized: false };
  }
}

/** The socket under a client: the driver offers no other way to hang up at once. */
export function streamOf(client: Client): { destroy(): void } {
  return (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream;
}

/** Asks the server to stop what the client runs, over a connection of its own. */
export async function cancelPostgres(secret: Secret, client: Client): Promise<void> {
  const { processID } = client as unknown as { processID: number | null };
  if (processID === null) return;
  const helper = await connectPostgres(secret);
  try {
    await helper.query('SELECT pg_cancel_backend($1)', [processID]);
  } finally {
    await helper.end();
  }
}
