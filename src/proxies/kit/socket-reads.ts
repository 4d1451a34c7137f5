import type { Readable } from 'node:stream';

/** Buffer that all sockets read into. Its bytes are copied before the next read. */
const ROOM = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * Private parts of `node:net`, used only in this file. They replace the option `onread` of `net.connect`,
 * which does not exist for accepted or already open sockets. If a Node.js version lacks these parts, the
 * `data` event is used, and `socket-reads.spec.ts` fails.
 */
interface ReadsInto {
  _handle?: { useUserBuffer?: (room: Buffer) => void } | null;
  [key: symbol]: unknown;
}

/**
 * Calls `take` with all bytes that a socket has received and will receive. Unlike the `data` event, this
 * bypasses the stream's own buffer and allocates no new 64 KiB buffer for each read. This halves the cost of
 * reading a small message. Uses `data` where Node.js lacks the required internal method. `pause`, `resume`,
 * `end` and `close` work as usual. Other streams than sockets always give the `data` event.
 * @param copyOf copies the bytes of one read, because the next read overwrites them
 */
export function onSocketData(
  socket: Readable,
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
