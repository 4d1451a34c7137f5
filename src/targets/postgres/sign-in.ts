import type { Socket } from 'node:net';
import type { Client } from 'pg';
import { isUtf8Name } from '../../languages/postgresql/lexing/encoding-names';
import { clientOver } from './driver-parts';
import { TargetFault } from './postgres-faults';
import type { StartUpReport } from './start-up-report';
import type { ProtocolMinor, StartUpParameter } from './start-up-packet';
import { TargetConnection } from './target-connection';
import { openTarget } from './target-socket';
import { withRole } from './target-role';
import { type PostgresSecret, type Way, waysOf } from './target-tls';
import { withTimeout } from './with-timeout';

/** Time-out of all attempts to sign in together. */
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
  /** The requested version. A server that does not support it chooses an older one; see `StartUpReport`. */
  readonly protocolMinor: ProtocolMinor;
}

/**
 * Connects to the target and signs in as the secret's user, who acts as the role of the session if the secret
 * has one. Sends the parameters in the start-up message. Aborting `signal` ends the attempt.
 *
 * Rules read `\` in strings as the SQL standard does. A target with `standard_conforming_strings` off would
 * read the same text differently, so the gateway signs in again with the setting on. `RESET` and
 * `DISCARD ALL` do not undo a setting of the start-up message.
 * @throws TargetFault, DatabaseError of the server, which may name values of the secret, or an error of the
 * system or of TLS.
 */
export async function signInAtTarget(
  secret: PostgresSecret,
  asked: Greeting,
  signal?: AbortSignal,
): Promise<SignedIn> {
  const greeting = { ...asked, parameters: withRole(secret, asked.parameters) };
  return withTimeout(SIGN_IN_WITHIN_MS, signal, async (ended) => {
    const first = await inItsVersion(secret, greeting, ended);
    const fault = readingFault(first);
    if (fault === undefined) return first;
    hangUp(first.connection.release().socket);
    if (fault !== 'STRINGS') throw new TargetFault(fault);
    const others = greeting.parameters.filter(([name]) => name.toLowerCase() !== STRINGS);
    const parameters = [...others, [STRINGS, 'on']] as const;
    const second = await inItsVersion(secret, { ...greeting, parameters }, ended);
    const still = readingFault(second);
    if (still === undefined) return second;
    hangUp(second.connection.release().socket);
    throw new TargetFault(still);
  });
}

/**
 * Returns the setting with which the session would read texts differently from the rules, if there is one. A
 * login trigger may have changed it.
 */
function readingFault({ report: { parameters } }: SignedIn): 'ENCODING' | 'STRINGS' | undefined {
  const encoding = parameters.get('client_encoding');
  if (encoding !== undefined && !isUtf8Name(encoding)) return 'ENCODING';
  return parameters.get(STRINGS) === 'off' ? 'STRINGS' : undefined;
}

/** Tries the requested version, then 3.0: old servers and poolers may refuse other versions or hang up. */
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

/**
 * Whether the protocol version may have caused the error: feature_not_supported, protocol_violation, or no
 * valid answer.
 */
function mayBeOfTheVersion(error: unknown): boolean {
  const { code = '' } = error as { code?: string };
  return ['0A000', '08P01', 'CLOSED', 'NOT_POSTGRES', 'ECONNRESET'].includes(code);
}

/** Sends Terminate before closing, because otherwise the server would log a lost client. */
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

/** Whether to switch TLS on or off and retry: TLS failed, or `pg_hba.conf` refuses the current choice. */
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
    // A function, because the driver replaces an empty text with a value from the gateway's environment.
    password: () => secret['PASS'] ?? '',
    // The driver must not begin TLS: the socket already has it, or must not have it.
    ssl: false,
  });
  // Without a listener, a lost connection would end the process. The user of the client detects the loss in
  // other ways.
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

/** Returns the version to use: 3.0 if the server offers 3.1, which was never released. */
function spokenMinor({ report }: TargetConnection, asked: ProtocolMinor): ProtocolMinor {
  return asked === 2 && (report.negotiatedMinor ?? asked) >= 2 ? 2 : 0;
}

function terminated(error: unknown): boolean {
  return error instanceof Error && error.message === 'Connection terminated unexpectedly';
}
