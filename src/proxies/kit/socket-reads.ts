import type { Socket } from 'node:net';

/** What one read of any socket is put into; it is copied from there at once, to as many bytes as came. */
const ROOM = Buffer.allocUnsafeSlow(64 * 1024);

/** What `net.connect` makes of its option `onread`; there is no such option for a socket that was accepted, or that is open. */
interface ReadsInto {
  _handle?: { useUserBuffer?: (room: Buffer) => void } | null;
  [key: symbol]: unknown;
}

/**
 * Hears what comes on an open socket from now on, and what has come already. Unlike `data`, it takes no new 64 KiB of memory for
 * each read, and no way through a stream's buffer: half of what reading a small message costs. Where Node.js does not
 * have what this relies on, it is `data`. Pausing, resuming, `end` and `close` are as ever.
 */
export function hearBytes(socket: Socket, take: (bytes: Buffer) => void): void {
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
    take(Buffer.from(ROOM.subarray(0, size)));
    return true;
  };
  target._handle.useUserBuffer(ROOM);
  if (before !== null) take(before);
}
