import type { Socket } from 'node:net';
import type { Client } from 'pg';
import { clientOver } from './driver-parts';
import { TargetFault } from './postgres-faults';
import type { StartUpReport } from './start-up-report';
import type { ProtocolMinor, StartUpParameter } from './start-up-packet';
import { TargetConnection } from './target-connection';
import { openTarget } from './target-socket';
import { withRole } from './target-role';
import { type PostgresSecret, type Way, waysOf } from './target-tls';
import { withTimeout } from './with-timeout';

/** Time-out of all attempts together. */
const SIGN_IN_WITHIN_MS = 10_000;

/** A session on the target, paused at its first ReadyForQuery. */
export interface SignedIn {
  readonly client: Client;
  readonly connection: TargetConnection;
  readonly report: StartUpReport;
  /** The version negotiated with the server. */
  readonly protocolMinor: ProtocolMinor;
}

/** Terminate: PostgreSQL documentation, "Message Formats". */
const TERMINATE = Buffer.from([0x58, 0, 0, 0, 4]);

const STRINGS = 'standard_conforming_strings';

/** Content of the start-up message besides user, database and client_encoding. */
export interface Greeting {
  /** Parameters in order. A name may occur more than once. */
  readonly parameters: readonly StartUpParameter[];
  /** The requested version. A server with an older version decides; see `StartUpReport`. */
  readonly protocolMinor: ProtocolMinor;
}

/**
 * Connects to the target and signs in with the secret's user, who acts as the role of the session where
 * there is one. The parameters are sent in the start-up message, and errors
 * name only their values. Aborting `signal` ends the attempt.
 *
 * Rules read `\` in strings as the SQL standard does. Where a target has another default,
 * the same text would mean something else there, so the setting is sent in the start-up
 * message, which `RESET` and `DISCARD ALL` do not undo.
 * @throws TargetFault, DatabaseError of the server, or an error of the system or of TLS.
 */
export async function signInAtTarget(
  secret: PostgresSecret,
  asked: Greeting,
  signal?: AbortSignal,
): Promise<SignedIn> {
  const greeting = { ...asked, parameters: withRole(secret, asked.parameters) };
  return withTimeout(SIGN_IN_WITHIN_MS, signal, async (ended) => {
    const first = await inItsVersion(secret, greeting, ended);
    if (first.report.parameters.get(STRINGS) !== 'off') return first;
    hangUp(first.connection.release().socket);
    const others = greeting.parameters.filter(([name]) => name.toLowerCase() !== STRINGS);
    return inItsVersion(secret, { ...greeting, parameters: [...others, [STRINGS, 'on']] }, ended);
  });
}

/** Servers without NegotiateProtocolVersion, and poolers, refuse an unknown version or hang up. */
async function inItsVersion(
  secret: PostgresSecret,
  greeting: Greeting,
  signal: AbortSignal,
): Promise<SignedIn> {
  try {
    return await byItsWays(secret, greeting, signal);
  } catch (error) {
    if (greeting.protocolMinor === 0 || signal.aborted || !mayBeOfTheVersion(error)) throw error;
    return byItsWays(secret, { ...greeting, protocolMinor: 0 }, signal);
  }
}

/** feature_not_supported, protocol_violation, or an answer that makes no sense. */
function mayBeOfTheVersion(error: unknown): boolean {
  const { code = '' } = error as { code?: string };
  return ['0A000', '08P01', 'CLOSED', 'NOT_POSTGRES', 'ECONNRESET'].includes(code);
}

/** Sends Terminate first, because a server logs a client that leaves without it. */
function hangUp(socket: Socket): void {
  socket.on('error', () => undefined).write(TERMINATE);
  socket.destroySoon();
}

async function byItsWays(secret: PostgresSecret, greeting: Greeting, signal: AbortSignal): Promise<SignedIn> {
  const [first, second] = waysOf(secret);
  try {
    return await attempt(secret, greeting, first, signal);
  } catch (error) {
    if (second === undefined || signal.aborted || !asksForTheOtherWay(error)) throw error;
    return attempt(secret, greeting, second, signal);
  }
}

/** Whether to try the other way: TLS failed, or `pg_hba.conf` refuses a client with TLS, or one without. */
function asksForTheOtherWay(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === '28000' || code === 'TLS_FAILED';
}

async function attempt(
  secret: PostgresSecret,
  { parameters, protocolMinor }: Greeting,
  way: Way,
  signal: AbortSignal,
): Promise<SignedIn> {
  const socket = await openTarget(secret, { way, signal });
  const connection = new TargetConnection(socket, { secret, parameters, protocolMinor });
  const client = clientOver(connection, {
    user: secret['USER'],
    database: secret['DB'],
    // A function, because for an empty text the driver would read the gateway's environment variables.
    password: () => secret['PASS'] ?? '',
    // The socket already has TLS, or must not have it.
    ssl: false,
  });
  // Without a listener a lost connection would end the process; the user of
  // the client learns of the loss in other ways.
  client.on('error', () => undefined);
  const stop = (): void => void socket.destroy(signal.reason as Error);
  signal.addEventListener('abort', stop, { once: true });
  try {
    await client.connect();
    return {
      client,
      connection,
      report: connection.report,
      protocolMinor: spokenMinor(connection, protocolMinor),
    };
  } catch (error) {
    // A server that refuses may keep the connection open, and the driver does not close it.
    socket.destroy();
    throw terminated(error) ? new TargetFault('CLOSED', { cause: error }) : error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** 3.1 was never released; with a server that offers it, 3.0 is used. */
function spokenMinor({ report }: TargetConnection, asked: ProtocolMinor): ProtocolMinor {
  return asked === 2 && (report.negotiatedMinor ?? asked) >= 2 ? 2 : 0;
}

function terminated(error: unknown): boolean {
  return error instanceof Error && error.message === 'Connection terminated unexpectedly';
}
