import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { signIn } from '../postgres/sign-in';
import type { TransactionStatus } from '../postgres/start-up-report';
import { openTarget } from '../postgres/target-socket';
import type { Secret } from '../postgres/target-tls';
import { within } from '../postgres/within';
import { refusalOf } from './upstream-refused';

const CANCEL_WITHIN_MS = 5_000;

/** Length 16 and the code 1234·5678: PostgreSQL documentation, "Message Formats", CancelRequest. */
const CANCEL_REQUEST = Buffer.from([0, 0, 0, 16, 0x04, 0xd2, 0x16, 0x2e]);

/** The target's side of a session, at its first ReadyForQuery. */
export interface Upstream {
  /**
   * Paused, and nobody listens to it: errors do no harm, but whoever takes it looks at `destroyed` first. What
   * comes meanwhile waits in its read buffer, behind `rest`.
   */
  readonly socket: Socket | TLSSocket;
  /** Bytes behind ReadyForQuery, from a message boundary on. */
  readonly rest: Buffer;
  /** What ParameterStatus reported. */
  readonly parameters: Map<string, string>;
  /** NoticeResponse messages of the start-up, as they came, each with its head. */
  readonly notices: readonly Buffer[];
  /** Both 0: the server gave no key, and nothing can be cancelled. */
  readonly processId: number;
  readonly secretKey: number;
  readonly transactionStatus: TransactionStatus;
}

/**
 * Signs in at the target as the secret says, with the client's own start-up parameters.
 * @throws UpstreamRefused with what the client is told; nothing else.
 */
export async function dialUpstream(
  secret: Secret,
  parameters: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<Upstream> {
  try {
    const { connection, report } = await signIn(secret, passedOn(parameters), signal);
    const { parameters: reported, notices, processId, secretKey, transactionStatus } = report;
    return {
      ...connection.release(),
      parameters: reported,
      notices,
      processId,
      secretKey,
      transactionStatus,
    };
  } catch (error) {
    throw refusalOf(error, secret);
  }
}

/** These are the gateway's to say, in whatever case: settings know no case, and `client_encoding` is UTF8 for both. */
const OURS = new Set(['user', 'database', 'replication', 'client_encoding']);

function passedOn(parameters: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const isOurs = (name: string): boolean => OURS.has(name.toLowerCase()) || name.startsWith('_pq_.');
  return new Map([...parameters].filter(([name]) => !isOurs(name)));
}

/**
 * Asks the target to stop what the session runs. Resolves when the server has hung up, which is when it has passed
 * the wish on, or when it takes too long. Whether anything was stopped shows in the session itself.
 */
export async function cancelUpstream(
  secret: Secret,
  upstream: Pick<Upstream, 'socket' | 'processId' | 'secretKey'>,
): Promise<void> {
  if (upstream.processId === 0 && upstream.secretKey === 0) return;
  const request = Buffer.alloc(16);
  CANCEL_REQUEST.copy(request);
  request.writeInt32BE(upstream.processId, 8);
  request.writeInt32BE(upstream.secretKey, 12);
  await within(CANCEL_WITHIN_MS, undefined, async (signal) => {
    const way = upstream.socket instanceof TLSSocket ? 'tls' : 'plain';
    // The very server of the session: its name may stand for several.
    const socket = await openTarget(secret, { way, signal, address: upstream.socket.remoteAddress });
    await sendAndAwaitEnd(socket, request, signal);
  }).catch(() => undefined);
}

function sendAndAwaitEnd(socket: Socket, request: Buffer, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => void socket.destroy();
    signal.addEventListener('abort', stop, { once: true });
    socket.on('error', () => undefined).once('close', () => resolve());
    socket.resume().write(request);
  });
}
