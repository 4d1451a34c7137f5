import type { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';
import { TargetFault } from './postgres-faults';
import type { StartUpReport } from './start-up-report';
import type { ProtocolMinor, StartUpParameter } from './start-up-packet';
import { TargetConnection } from './target-connection';
import { openTarget } from './target-socket';
import { type PostgresSecret, type Way, waysOf } from './target-tls';
import { within } from './within';

/** For all attempts together. */
const SIGN_IN_WITHIN_MS = 10_000;

/** A session on the target that stands at its first ReadyForQuery and holds still. */
export interface SignedIn {
  readonly client: Client;
  readonly connection: TargetConnection;
  readonly report: StartUpReport;
  /** As agreed on with the server. */
  readonly protocolMinor: ProtocolMinor;
}

/** Terminate: PostgreSQL documentation, "Message Formats". */
const TERMINATE = Buffer.from([0x58, 0, 0, 0, 4]);

const STRINGS = 'standard_conforming_strings';

/** With which words a session begins. */
export interface Greeting {
  /** Of the start-up message, in order, besides user, database and client_encoding. A name may come again. */
  readonly parameters: readonly StartUpParameter[];
  /** Asked for; a server that speaks less has the last word, see `StartUpReport`. */
  readonly protocolMinor: ProtocolMinor;
}

/**
 * Dials the target and signs in with the secret's user; the parameters go along in the start-up message, and its
 * errors name their values only. A signal that aborts ends the attempt.
 *
 * A guardrail reads `\` in strings as the SQL standard does, and where a target's default is otherwise, the same text
 * would mean something else there. Said in the start-up message, `RESET` and `DISCARD ALL` do not undo it.
 * @throws TargetFault, DatabaseError of the server, or an error of the system or of TLS.
 */
export async function signIn(
  secret: PostgresSecret,
  greeting: Greeting,
  signal?: AbortSignal,
): Promise<SignedIn> {
  return within(SIGN_IN_WITHIN_MS, signal, async (ended) => {
    const first = await inItsVersion(secret, greeting, ended);
    if (first.report.parameters.get(STRINGS) !== 'off') return first;
    hangUp(first.connection.release().socket);
    const others = greeting.parameters.filter(([name]) => name.toLowerCase() !== STRINGS);
    return inItsVersion(secret, { ...greeting, parameters: [...others, [STRINGS, 'on']] }, ended);
  });
}

/** Servers from before NegotiateProtocolVersion, and poolers, refuse or hang up on what they do not know. */
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

/** feature_not_supported and protocol_violation, or nothing that makes sense. */
function mayBeOfTheVersion(error: unknown): boolean {
  const { code = '' } = error as { code?: string };
  return ['0A000', '08P01', 'CLOSED', 'NOT_POSTGRES', 'ECONNRESET'].includes(code);
}

/** With a goodbye, because a server logs a client that goes without one. */
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

/** TLS that fails, and what `pg_hba.conf` says to a client without or with it. */
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
  const client = new SigningIn(secret, connection);
  // Without a listener a lost connection would end the process; whoever uses it hears of it by itself.
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
    // A server that refuses may leave the line open; the driver does not hang up by itself.
    socket.destroy();
    throw terminated(error) ? new TargetFault('CLOSED', { cause: error }) : error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** 3.1 was never released; a server that offers it is spoken to in 3.0. */
function spokenMinor({ report }: TargetConnection, asked: ProtocolMinor): ProtocolMinor {
  return asked === 2 && (report.negotiatedMinor ?? asked) >= 2 ? 2 : 0;
}

function terminated(error: unknown): boolean {
  return error instanceof Error && error.message === 'Connection terminated unexpectedly';
}

/** The driver's client; what it says at start-up is the connection's affair. */
class SigningIn extends Client {
  constructor(secret: PostgresSecret, connection: TargetConnection) {
    const config: ClientConfig & { connection: TargetConnection } = {
      connection,
      user: secret['USER'],
      database: secret['DB'],
      // A function, because for an empty text the driver would look into the gateway's own environment.
      password: () => secret['PASS'] ?? '',
      // The socket is under TLS already, or must not be.
      ssl: false,
    };
    super(config);
  }
}
