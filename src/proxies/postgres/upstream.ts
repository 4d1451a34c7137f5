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

/** Length, code and process id. */
const CANCEL_HEAD_BYTES = 12;
/** 1234·5678: PostgreSQL documentation, "Message Formats", CancelRequest. */
const CANCEL_REQUEST = 80_877_102;

/** The connection to the target, at its first ReadyForQuery. */
export interface Upstream {
  /**
   * Paused and without listeners: errors do no harm, but the new owner must check `destroyed` first. Later
   * bytes wait in the socket's read buffer, behind `rest`.
   */
  readonly socket: Socket | TLSSocket;
  /** Bytes after ReadyForQuery, beginning at a message boundary. */
  readonly rest: Buffer;
  /** Values that ParameterStatus reported. */
  readonly parameters: Map<string, string>;
  /** NoticeResponse messages of the start-up, each with its head. */
  readonly notices: readonly Buffer[];
  /** 0 where the server sent no key; then nothing can be canceled. */
  readonly processId: number;
  readonly secretKey: Buffer;
  readonly protocolMinor: ProtocolMinor;
  readonly transactionStatus: ReportedStatus;
}

/**
 * Signs in at the target with the secret and with the client's start-up parameters and protocol version.
 * @throws UpstreamRefused with the answer for the client; nothing else.
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
 * Parameters that only the gateway sets. They are compared in lower case, because setting names ignore case;
 * `client_encoding` is UTF8 for both sides.
 */
const OURS = new Set(['user', 'database', 'replication', 'client_encoding']);

function passedOn(parameters: readonly StartUpParameter[]): readonly StartUpParameter[] {
  const isOurs = (name: string): boolean => OURS.has(name.toLowerCase()) || name.startsWith('_pq_.');
  return parameters.filter(([name]) => !isOurs(name));
}

/**
 * Asks the target to cancel what the session runs. Resolves when the server has closed
 * the connection, which it does after passing on the request, or at the time-out.
 * Whether anything was canceled shows in the session itself.
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
    // The same server as the session's: a host name may stand for several.
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
