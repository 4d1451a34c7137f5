import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import {
  type AddressInfo,
  type NetConnectOpts,
  type Server,
  type Socket,
  connect,
  createServer,
} from 'node:net';
import type { Writable } from 'node:stream';
import type { Client, ClientChannel } from 'ssh2';
import { eventually } from '../eventually';
import type { RunningProgram } from './programs';

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** A TCP server or a server at a socket, whose connections are destroyed when it is closed. */
export interface Listener {
  readonly port: number;
  readonly sockets: ReadonlySet<Socket>;
  close(): Promise<void>;
}

/** @param at a port of 127.0.0.1, 0 for any, or the path of a socket */
export async function listenAt(at: number | string, served: (socket: Socket) => void): Promise<Listener> {
  const sockets = new Set<Socket>();
  const server: Server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    served(socket);
  });
  if (typeof at === 'number') server.listen(at, '127.0.0.1');
  else server.listen(at);
  await once(server, 'listening');
  return {
    port: typeof at === 'number' ? (server.address() as AddressInfo).port : 0,
    sockets,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      if (typeof at === 'string') await rm(at, { force: true });
    },
  };
}

/** Reads all that it gets until the end, and answers with the same only then. */
export function answerAtEnd(socket: Socket): void {
  const got: Buffer[] = [];
  socket.on('data', (bytes: Buffer) => got.push(bytes)).on('end', () => socket.end(Buffer.concat(got)));
}

/** Sends bytes and the end, and reads until the other side has ended. Resolves with what was read. */
export async function exchange(to: NetConnectOpts, bytes: Buffer | string): Promise<Buffer> {
  const socket = connect({ ...to, allowHalfOpen: true });
  const got: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => got.push(chunk));
  const over = once(socket, 'close');
  socket.end(bytes);
  await over;
  return Buffer.concat(got);
}

/** Opens a stream by the driver's own client. Resolves with the reason and the text of a refusal. */
export function openStream(client: Client, host: string, port: number): Promise<ClientChannel | string> {
  return new Promise((resolve) =>
    client.forwardOut('127.0.0.1', 1, host, port, (error, channel) =>
      resolve(error ? refusalOf(error) : channel),
    ),
  );
}

function refusalOf(error: Error & { reason?: unknown }): string {
  return `${String(error.reason)} ${error.message.replace('(SSH) Channel open failure: ', '')}`;
}

/**
 * Resolves when OpenSSH's client, started with `-v`, has prepared its forwards. A look at the port would be a
 * stream of its own, with a session that a test could take for the one it is about.
 */
export async function untilForwarding(
  program: RunningProgram,
  line = 'Entering interactive session.',
): Promise<void> {
  await eventually(`ssh prints: ${line}`, () => {
    if (program.child.exitCode !== null) throw new Error(program.stderr());
    return program.stderr().includes(line);
  });
}

/** Whether something listens at a port of this machine. */
export async function listens(port: number): Promise<boolean> {
  const socket = await connected(port);
  socket?.destroy();
  return socket !== undefined;
}

/**
 * Writes zeros as fast as they are taken, and then the end. Resolves when all was taken.
 * @param took gets the size of each piece that was taken
 */
export async function pour(
  to: Writable,
  bytes: number,
  took: (bytes: number) => void = () => undefined,
): Promise<void> {
  const piece = Buffer.alloc(64 * 1024);
  for (let sent = 0; sent < bytes && to.writable; sent += piece.length) {
    const hasRoom = to.write(piece);
    took(piece.length);
    if (!hasRoom) await roomIn(to);
  }
  to.end();
}

function roomIn(to: Writable): Promise<void> {
  return new Promise((resolve) => {
    const settled = (): void => {
      to.off('drain', settled).off('close', settled);
      resolve();
    };
    to.on('drain', settled).on('close', settled);
  });
}

/** Connects to a port of this machine; undefined if nothing listens there. */
export function connected(port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(socket.on('error', () => undefined).resume()));
    socket.once('error', () => resolve(undefined));
  });
}

/** Resolves when a number stays the same for half a second. */
export async function atRest(figure: () => number): Promise<void> {
  await eventually('nothing more is taken', async () => {
    const before = figure();
    await new Promise((resolve) => setTimeout(resolve, 500));
    return figure() === before && before > 0;
  });
}
