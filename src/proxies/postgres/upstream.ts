import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { type Greeting, signIn } from '../../targets/postgres/sign-in';
import type { ReportedStatus } from '../../targets/postgres/start-up-report';
import type { ProtocolMinor, StartUpParameter } from '../../targets/postgres/start-up-packet';
import { openTarget } from '../../targets/postgres/target-socket';
import type { PostgresSecret } from '../../targets/postgres/target-tls';
import { within } from '../../targets/postgres/within';
import { upstreamRefusal } from './upstream-refused';
import { int32 } from './wire/message';

const CANCEL_WITHIN_MS = 5_000;

/** Length, code and process id. */
const CANCEL_HEAD_BYTES = 12;
/** 1234·5678: PostgreSQL documentation, "Message Formats", CancelRequest. */
const CANCEL_REQUEST = 80_877_102;

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
  /** 0: the server gave no key, and nothing can be cancelled. */
  readonly processId: number;
  readonly secretKey: Buffer;
  readonly protocolMinor: ProtocolMinor;
  readonly transactionStatus: ReportedStatus;
}

/**
 * Signs in at the target as the secret says, with the client's own start-up parameters and version of the protocol.
 * @throws UpstreamRefused with what the client is told; nothing else.
 */
export async function dialUpstream(
  secret: PostgresSecret,
  { parameters, protocolMinor: asked }: Greeting,
  signal: AbortSignal,
): Promise<Upstream> {
  try {
    const greeting = { parameters: passedOn(parameters), protocolMinor: asked };
    const { connection, report, protocolMinor } = await signIn(secret, greeting, signal);
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

/** These are the gateway's to say, in whatever case: settings know no case, and `client_encoding` is UTF8 for both. */
const OURS = new Set(['user', 'database', 'replication', 'client_encoding']);

function passedOn(parameters: readonly StartUpParameter[]): readonly StartUpParameter[] {
  const isOurs = (name: string): boolean => OURS.has(name.toLowerCase()) || name.startsWith('_pq_.');
  return parameters.filter(([name]) => !isOurs(name));
}

/**
 * Asks the target to stop what the session runs. Resolves when the server has hung up, which is when it has passed
 * the wish on, or when it takes too long. Whether anything was stopped shows in the session itself.
 */
export async function cancelUpstream(
  secret: PostgresSecret,
  upstream: Pick<Upstream, 'socket' | 'processId' | 'secretKey'>,
): Promise<void> {
  const { processId, secretKey } = upstream;
  if (processId === 0) return;
  const head = [CANCEL_HEAD_BYTES + secretKey.length, CANCEL_REQUEST, processId];
  const request = Buffer.concat([...head.map(int32), secretKey]);
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
