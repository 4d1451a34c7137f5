import type { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';
import { TargetFault } from './postgres-faults';
import type { StartUpReport } from './start-up-report';
import { TargetConnection } from './target-connection';
import { openTarget } from './target-socket';
import { type Secret, type Way, waysOf } from './target-tls';
import { within } from './within';

/** For all attempts together. */
const SIGN_IN_WITHIN_MS = 10_000;

/** A session on the target that stands at its first ReadyForQuery and holds still. */
export interface SignedIn {
  readonly client: Client;
  readonly connection: TargetConnection;
  readonly report: StartUpReport;
}

/** Terminate: PostgreSQL documentation, "Message Formats". */
const TERMINATE = Buffer.from([0x58, 0, 0, 0, 4]);

const STRINGS = 'standard_conforming_strings';

/**
 * Dials the target and signs in with the secret's user; `parameters` go along in the start-up message, and its
 * errors name their values only. A signal that aborts ends the attempt.
 *
 * A guard rail reads `\` in strings as the SQL standard does, and where a target's default is otherwise, the same text
 * would mean something else there. Said in the start-up message, `RESET` and `DISCARD ALL` do not undo it.
 * @throws TargetFault, DatabaseError of the server, or an error of the system or of TLS.
 */
export async function signIn(
  secret: Secret,
  parameters: ReadonlyMap<string, string>,
  signal?: AbortSignal,
): Promise<SignedIn> {
  return within(SIGN_IN_WITHIN_MS, signal, async (ended) => {
    const first = await byItsWays(secret, parameters, ended);
    if (first.report.parameters.get(STRINGS) !== 'off') return first;
    hangUp(first.connection.release().socket);
    const others = [...parameters].filter(([name]) => name.toLowerCase() !== STRINGS);
    return byItsWays(secret, new Map([...others, [STRINGS, 'on']]), ended);
  });
}

/** With a goodbye, because a server logs a client that goes without one. */
function hangUp(socket: Socket): void {
  socket.on('error', () => undefined).write(TERMINATE);
  socket.destroySoon();
}

async function byItsWays(
  secret: Secret,
  parameters: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<SignedIn> {
  const [first, second] = waysOf(secret);
  try {
    return await attempt(secret, parameters, first, signal);
  } catch (error) {
    if (second === undefined || signal.aborted || !asksForTheOtherWay(error)) throw error;
    return attempt(secret, parameters, second, signal);
  }
}

/** TLS that fails, and what `pg_hba.conf` says to a client without or with it. */
function asksForTheOtherWay(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === '28000' || code === 'TLS_FAILED';
}

async function attempt(
  secret: Secret,
  parameters: ReadonlyMap<string, string>,
  way: Way,
  signal: AbortSignal,
): Promise<SignedIn> {
  const socket = await openTarget(secret, { way, signal });
  const connection = new TargetConnection(socket);
  const client = new SigningIn(secret, parameters, connection);
  // Without a listener a lost connection would end the process; whoever uses it hears of it by itself.
  client.on('error', () => undefined);
  const stop = (): void => void socket.destroy(signal.reason as Error);
  signal.addEventListener('abort', stop, { once: true });
  try {
    await client.connect();
    return { client, connection, report: connection.report };
  } catch (error) {
    // A server that refuses may leave the line open; the driver does not hang up by itself.
    socket.destroy();
    throw terminated(error) ? new TargetFault('CLOSED', { cause: error }) : error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function terminated(error: unknown): boolean {
  return error instanceof Error && error.message === 'Connection terminated unexpectedly';
}

/** The driver's client, which says nothing at start-up but what it is given: not the gateway's own environment. */
class SigningIn extends Client {
  private readonly startUp: Readonly<Record<string, string>>;

  constructor(secret: Secret, parameters: ReadonlyMap<string, string>, connection: TargetConnection) {
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
    this.startUp = {
      user: secret['USER'] ?? '',
      database: secret['DB'] ?? '',
      ...Object.fromEntries(parameters),
    };
  }

  /** Asked by the driver, which adds that the client's encoding is UTF8. */
  getStartupConf(): Readonly<Record<string, string>> {
    return this.startUp;
  }
}
