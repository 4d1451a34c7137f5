import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { MessageSplitter } from './message-splitter';
import { type WireMessage, frame } from './messages';

export interface Pump {
  readonly port: number;
  close(): Promise<void>;
}

/** Changes a message of the server to other bytes, or none. */
export type Sabotage = (message: WireMessage) => Buffer;

/**
 * Starts a proxy that forwards all bytes unchanged. Comparisons of pipelines through it must find no
 * difference. `sabotage` is called for each connection and changes the server's messages. Comparisons must
 * find these changes.
 */
export async function startPump(host: string, port: number, sabotage?: () => Sabotage): Promise<Pump> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const target = connect({ host, port, allowHalfOpen: true });
    const splitter = new MessageSplitter();
    const spoiled = sabotage?.();
    for (const socket of [client, target]) {
      sockets.add(socket.setNoDelay(true));
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    client.on('data', (bytes) => target.write(bytes)).on('end', () => target.end());
    target.on('end', () => client.end()).on('close', () => client.destroy());
    client.on('close', () => target.destroy());
    target.on('data', (bytes: Buffer) => {
      if (spoiled === undefined) client.write(bytes);
      else for (const message of splitter.push(bytes)) client.write(spoiled(message));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** Encodes a message unchanged. */
export const whole = ({ type, body }: WireMessage): Buffer => frame(type, body);
