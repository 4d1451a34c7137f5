import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { type Greeting, signInAtTarget } from '../../targets/postgres/sign-in';
import type { ReportedStatus } from '../../targets/postgres/start-up-report';
import type { ProtocolMinor, StartUpParameter } from '../../targets/postgres/start-up-packet';
import { openTarget } from '../../targets/postgres/target-socket';
import type { PostgresSecret } from '../../targets/postgres/target-tls';
import { withTimeout } from '../../targets/postgres/with-timeout';
import { upstreamRefusal } from './upstream-refused';
import { int32 } from './wire/message';

const CANCEL_WITHIN_MS = 5_000;

/** Size of a CancelRequest without its key: length, code and process id. */
const CANCEL_HEAD_BYTES = 12;
/**
 * Code of a CancelRequest: 1234 in the upper 16 bits, 5678 in the lower. Source: PostgreSQL documentation,
 * "Message Formats".
 */
const CANCEL_REQUEST = 80_877_102;

/** A signed-in connection to the target, at its first ReadyForQuery. */
export interface Upstream {
  /**
   * Socket to the target: paused, without data listeners. Errors are ignored, so the new owner must check
   * `destroyed` first. Bytes that come after `rest` stay in the socket's read buffer.
   */
  readonly socket: Socket | TLSSocket;
  /** Bytes after ReadyForQuery, which begin at a message boundary. */
  readonly rest: Buffer;
  /** Parameters that the server reported in ParameterStatus messages. */
  readonly parameters: Map<string, string>;
  /** Complete NoticeResponse messages that the server sent during start-up. */
  readonly notices: readonly Buffer[];
  /** Process id for cancel requests; 0 if the server sent no key, so that nothing can be canceled. */
  readonly processId: number;
  readonly secretKey: Buffer;
  readonly protocolMinor: ProtocolMinor;
  readonly transactionStatus: ReportedStatus;
}

/**
 * Signs in at the target with the secret and with the client's start-up parameters and protocol version.
 * @throws UpstreamRefused with the error for the client, and no other error
 */
export async function dialUpstream(
  secret: PostgresSecret,
  { parameters, protocolMinor: asked }: Greeting,
  signal: AbortSignal,
): Promise<Upstream> {
  try {
    const greeting = { parameters: passedOn(parameters), protocolMinor: asked };
    const { connection, report, protocolMinor } = await signInAtTarget(secret, greeting, signal);
    const { parameters: reported, notices, processId, secretKey, transactionStatus } = report;
    return {
      ...connection.release(),
      parameters: reported,
      notices,
      processId,
      secretKey,
      protocolMinor,
      transactionStatus,
    };
  } catch (error) {
    throw upstreamRefusal(error, secret);
  }
}

/**
 * Parameters that only the gateway sets, in lower case because setting names ignore case. `client_encoding`
 * is UTF8 on both sides.
 */
const OURS = new Set(['user', 'database', 'replication', 'client_encoding']);

function passedOn(parameters: readonly StartUpParameter[]): readonly StartUpParameter[] {
  const isOurs = (name: string): boolean => OURS.has(name.toLowerCase()) || name.startsWith('_pq_.');
  return parameters.filter(([name]) => !isOurs(name));
}

/**
 * Requests the target to cancel the running command of the session. Resolves at the time-out, or when the
 * server has processed the request and closed the connection. The result does not show whether a command was
 * canceled.
 */
export async function cancelUpstream(
  secret: PostgresSecret,
  upstream: Pick<Upstream, 'socket' | 'processId' | 'secretKey'>,
): Promise<void> {
  const { processId, secretKey } = upstream;
  if (processId === 0) return;
  const head = [CANCEL_HEAD_BYTES + secretKey.length, CANCEL_REQUEST, processId];
  const request = Buffer.concat([...head.map(int32), secretKey]);
  await withTimeout(CANCEL_WITHIN_MS, undefined, async (signal) => {
    const way = upstream.socket instanceof TLSSocket ? 'tls' : 'plain';
    // Use the address of the session's server, because a host name may resolve to several servers.
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
