import { type Socket, connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { SyslogSettings } from '../../../platform/config/groups';
import { checkedRequestOptions } from '../../../platform/outbound/checked-address';

/** Approximate size of the pieces in which a batch is written, each after the previous piece was sent. */
const PIECE_BYTES = 64 * 1024;

type SyslogTarget = Pick<SyslogSettings, 'receiver' | 'ca' | 'cert' | 'key'>;

/**
 * Sends a batch over a new connection and closes it. Resolves when the receiver has closed its side too,
 * because a receiver does so when it has read everything. Syslog has no other acknowledgment: a receiver may
 * never read the data on a connection that stays open.
 * @throws on refusal, a broken connection, a certificate that cannot be verified, or when `signal` aborts
 */
export async function sendSyslog(
  target: SyslogTarget,
  allowedHosts: readonly string[],
  frames: readonly Buffer[],
  signal: AbortSignal,
): Promise<void> {
  const socket = await open(target, allowedHosts);
  const stop = (): void => void socket.destroy(signal.reason as Error);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  try {
    await exchange(socket, target.receiver?.isTls === true ? 'secureConnect' : 'connect', frames);
  } finally {
    signal.removeEventListener('abort', stop);
    socket.destroy();
  }
}

async function open(
  { receiver, ca, cert, key }: SyslogTarget,
  allowedHosts: readonly string[],
): Promise<Socket> {
  if (receiver === undefined) throw new Error('SYSLOG_URL is not set');
  const { host, port, isTls } = receiver;
  const { lookup } = await checkedRequestOptions(host, allowedHosts);
  if (!isTls) return connectTcp({ host, port, lookup });
  return connectTls({ host, port, lookup, ca, cert, key, ...(isName(host) ? { servername: host } : {}) });
}

/** Whether the host is a name, because RFC 6066 does not allow IP addresses as server names. */
function isName(host: string): boolean {
  return !/^[\d.]+$|:/.test(host);
}

function exchange(socket: Socket, opened: string, frames: readonly Buffer[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let isSent = false;
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the receiver broke the connection')));
    // Data of the receiver is ignored, but must be read; otherwise `end` is never emitted.
    socket.resume();
    socket.on('end', () => {
      if (isSent) resolve();
      else reject(new Error('the receiver closed the connection before it had everything'));
    });
    socket.once(opened, () => {
      writeAll(socket, frames).then(() => socket.end(() => (isSent = true)), reject);
    });
  });
}

async function writeAll(socket: Socket, frames: readonly Buffer[]): Promise<void> {
  let piece: Buffer[] = [];
  let bytes = 0;
  for (const frame of frames) {
    piece.push(frame);
    bytes += frame.length;
    if (bytes < PIECE_BYTES) continue;
    await written(socket, Buffer.concat(piece));
    [piece, bytes] = [[], 0];
  }
  await written(socket, Buffer.concat(piece));
}

function written(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}
