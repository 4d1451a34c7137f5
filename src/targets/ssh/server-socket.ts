import { type Socket, connect } from 'node:net';
import { sshFault } from './ssh-faults';

const DEFAULT_PORT = 22;
/** Idle time before keep-alive probes of TCP. A dead machine sends no FIN. */
const KEEP_ALIVE_AFTER_MS = 10_000;
/** Maximum size of what a server may send before its identification: RFC 4253, section 4.2, has no limit. */
const MAX_GREETING_BYTES = 64 * 1024;
const LINE_FEED = 0x0a;

/**
 * Connects to a server, and reads up to the line with its identification (RFC 4253, section 4.2). The socket
 * is paused, and gives that line first, so that lines before it never reach the driver.
 * @param signal ends the attempt, which then rejects with its reason
 * @throws SshFault, or the error of the system
 */
export async function openServer(
  secret: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Socket> {
  signal.throwIfAborted();
  const socket = connect({
    host: secret['HOST'] ?? '',
    port: Number(secret['PORT'] || DEFAULT_PORT),
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_AFTER_MS,
  });
  // This listener is never removed: an error without a listener would end the process.
  socket.on('error', () => undefined);
  const stop = (): void => void socket.destroy(signal.reason as Error);
  signal.addEventListener('abort', stop, { once: true });
  try {
    await identified(socket);
    return socket;
  } catch (error) {
    socket.destroy();
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function identified(socket: Socket): Promise<void> {
  const reader = new IdentificationReader();
  return new Promise((resolve, reject) => {
    const settled = (): void => {
      socket.off('data', read).off('error', failed).off('close', closed).off('end', closed);
    };
    const read = (chunk: Buffer): void => {
      try {
        const rest = reader.push(chunk);
        if (rest === undefined) return;
        settled();
        socket.pause();
        socket.unshift(rest);
        resolve();
      } catch (error) {
        failed(error as Error);
      }
    };
    const failed = (error: Error): void => (settled(), reject(error));
    const closed = (): void => failed(sshFault(reader.hasBytes ? 'NOT_SSH' : 'CLOSED'));
    socket.on('data', read).on('error', failed).on('close', closed).on('end', closed);
  });
}

/** Finds the identification of a server among the lines before it. */
export class IdentificationReader {
  private received: Buffer = Buffer.alloc(0);

  get hasBytes(): boolean {
    return this.received.length > 0;
  }

  /**
   * Returns the bytes from the identification on, or undefined if it is not complete.
   * @throws SshFault
   */
  push(chunk: Buffer): Buffer | undefined {
    let start = this.received.lastIndexOf(LINE_FEED) + 1;
    const searchedTo = this.received.length;
    this.received = Buffer.concat([this.received, chunk]);
    let end = this.received.indexOf(LINE_FEED, searchedTo);
    for (; end !== -1; start = end + 1, end = this.received.indexOf(LINE_FEED, start)) {
      const line = this.received.toString('latin1', start, end);
      if (/^SSH-(?:2\.0|1\.99)-/.test(line)) return this.received.subarray(start);
      if (line.startsWith('SSH-1.')) throw sshFault('OLD_SSH');
    }
    if (this.received.length > MAX_GREETING_BYTES) throw sshFault('NOT_SSH');
    return undefined;
  }
}
