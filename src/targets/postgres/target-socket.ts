import { type Socket, connect as connectTcp, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { TargetFault, isCertificateFault } from './postgres-faults';
import { type PostgresSecret, type Way, tlsOptions } from './target-tls';

const DEFAULT_PORT = 5432;
/** Idle time before keep-alive probes. A dead machine sends no FIN; the system's default is two hours. */
const KEEP_ALIVE_AFTER_MS = 10_000;

/** Length 8, then 1234 and 5679 as uint16: PostgreSQL documentation, "Message Formats", SSLRequest. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

export interface SocketOptions {
  readonly way: Way;
  /** Ends the attempt when it aborts. The attempt then rejects with the reason of the signal. */
  readonly signal: AbortSignal;
  /** An address to use instead of looking up the host; TLS still checks the host's name. */
  readonly address?: string | undefined;
}

/**
 * Opens a connection to the target, with TLS if required. Does not send a start-up message. The socket has no
 * data listener, and its errors do not end the process.
 * @throws TargetFault, or the error of the system or of TLS.
 */
export async function openTarget(
  secret: PostgresSecret,
  { way, signal, address }: SocketOptions,
): Promise<Socket> {
  signal.throwIfAborted();
  const host = secret['HOST'] ?? '';
  const raw = connectTcp({
    ...(host.startsWith('/') ? { path: socketFile(secret, host) } : tcpAddress(secret, address ?? host)),
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_AFTER_MS,
  });
  // This listener is never removed: an error without a listener would end the
  // process, also on a socket that TLS took over.
  raw.on('error', () => undefined);
  const stop = (): void => void raw.destroy(signal.reason as Error);
  signal.addEventListener('abort', stop, { once: true });
  try {
    await next(raw, 'connect');
    // A Unix socket needs no TLS, because its data crosses no network.
    if (way === 'plain' || host.startsWith('/')) return raw;
    return (await offersTls(raw, way)) ? await secured(raw, host, secret) : raw;
  } catch (error) {
    raw.destroy();
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function tcpAddress(secret: PostgresSecret, host: string): { host: string; port: number } {
  return { host, port: Number(secret['PORT'] || DEFAULT_PORT) };
}

function socketFile(secret: PostgresSecret, folder: string): string {
  return `${folder}/.s.PGSQL.${secret['PORT'] || DEFAULT_PORT}`;
}

/** Resolves with whether the server offers TLS. If not, the same connection continues in plain text. */
async function offersTls(raw: Socket, way: Way): Promise<boolean> {
  raw.write(SSL_REQUEST);
  const answer = (await next(raw, 'data')) as Buffer;
  raw.pause();
  // Bytes after the answer came in clear text and may be injected: they must not be treated as encrypted.
  const said = answer.length === 1 && raw.readableLength === 0 ? String.fromCharCode(answer[0] ?? 0) : '';
  if (said === 'S') return true;
  if (said !== 'N') throw new TargetFault('NOT_POSTGRES');
  if (way === 'tls') throw new TargetFault('NO_TLS');
  return false;
}

async function secured(raw: Socket, host: string, secret: PostgresSecret): Promise<Socket> {
  try {
    const named = isIP(host) === 0 ? { servername: host } : {};
    const socket = connectTls({ socket: raw, host, ...named, ...tlsOptions(secret) });
    socket.on('error', () => undefined);
    await next(socket, 'secureConnect');
    return socket;
  } catch (error) {
    if (isCertificateFault(error)) throw error;
    throw new TargetFault('TLS_FAILED', { cause: error });
  }
}

/** Resolves with the first argument of the next event of this name; rejects if the socket ends first. */
function next(socket: Socket, event: 'connect' | 'data' | 'secureConnect'): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const settled = (): void => {
      socket.off(event, happened).off('error', failed).off('close', closed);
    };
    const happened = (value: unknown): void => (settled(), resolve(value));
    const failed = (error: Error): void => (settled(), reject(error));
    const closed = (): void => (settled(), reject(new TargetFault('CLOSED')));
    socket.on(event, happened).on('error', failed).on('close', closed);
  });
}
