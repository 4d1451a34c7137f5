import type { Socket } from 'node:net';

/** Buffer that all sockets read into. The bytes are copied from it before the next read. */
const ROOM = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * Private parts of `node:net`, used only in this file: what `net.connect` does for its option
 * `onread`. No such option exists for an accepted or already open socket. Where a version lacks
 * them, `data` is used, and `socket-reads.spec.ts` fails.
 */
interface ReadsInto {
  _handle?: { useUserBuffer?: (room: Buffer) => void } | null;
  [key: symbol]: unknown;
}

/**
 * Calls `take` for all bytes that a socket has received and will receive. Unlike the `data` event, no new 64
 * KiB buffer is allocated for each read and the stream's own buffer is bypassed; this halves the cost of
 * reading a small message. Falls back to `data` where Node.js lacks the internal method that this relies on.
 * `pause`, `resume`, `end` and `close` work as usual.
 * @param copyOf copies what was read, because the next read overwrites it.
 */
export function onSocketData(
  socket: Socket,
  take: (bytes: Buffer) => void,
  copyOf: (read: Buffer) => Buffer = (read) => Buffer.from(read),
): void {
  const target = socket as unknown as ReadsInto;
  const own = Object.getOwnPropertySymbols(socket);
  const buffer = own.find(({ description }) => description === 'kBuffer');
  const heard = own.find(({ description }) => description === 'kBufferCb');
  if (buffer === undefined || heard === undefined || target._handle?.useUserBuffer === undefined) {
    socket.on('data', take);
    return;
  }
  const before = socket.read() as Buffer | null;
  target[buffer] = ROOM;
  target[heard] = (size: number): boolean => {
    take(copyOf(ROOM.subarray(0, size)));
    return true;
  };
  target._handle.useUserBuffer(ROOM);
  if (before !== null) take(before);
}
