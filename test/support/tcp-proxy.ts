import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

/** A TCP proxy between the gateway and a target that can cut, block, rewrite or observe connections. */
export interface TcpProxy {
  readonly port: number;
  /** Forwards new connections to this port from now on. */
  lead(port: number): void;
  /** Destroys every open connection. */
  cut(): void;
  /** Closes new connections at once (true), or serves them again (false). */
  refuse(isRefused: boolean): void;
  /** Local ports of the connections to the target. */
  targetPorts(): number[];
  /** From now on new connections are accepted and never answered. */
  goSilent(): void;
  /** Stops forwarding on all connections without closing them (true), or continues (false). */
  freeze(isFrozen: boolean): void;
  close(): Promise<void>;
}

interface Options {
  /** Rewrites bytes from the target. */
  readonly fromTarget?: (bytes: Buffer) => Buffer;
  /** Rewrites bytes to the target. */
  readonly toTarget?: (bytes: Buffer) => Buffer;
}

export async function startTcpProxy(host: string, port: number, options: Options = {}): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const targets = new Set<Socket>();
  let silent = false;
  let refused = false;
  let frozen = false;
  let leadsTo = port;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    if (refused) return void client.resetAndDestroy();
    keep(client);
    if (frozen) client.pause();
    if (silent) return;
    const target = connect(leadsTo, host);
    keep(target);
    targets.add(target);
    target.once('close', () => targets.delete(target));
    client
      .on('data', (bytes) => target.write(options.toTarget?.(bytes) ?? bytes))
      .on('close', () => target.destroy());
    target
      .on('data', (bytes) => client.write(options.fromTarget?.(bytes) ?? bytes))
      .on('close', () => client.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    lead: (to) => {
      leadsTo = to;
    },
    cut,
    refuse: (isRefused) => {
      refused = isRefused;
    },
    targetPorts: () => [...targets].map(({ localPort = 0 }) => localPort),
    goSilent: () => {
      silent = true;
    },
    freeze: (isFrozen) => {
      frozen = isFrozen;
      for (const socket of sockets) {
        if (isFrozen) socket.pause();
        else socket.resume();
      }
    },
    close: async () => {
      cut();
      await new Promise((closed) => server.close(closed));
    },
  };
}
