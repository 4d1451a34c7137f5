import type { Socket } from 'node:net';
import { PROXY_HEAD_BYTES, clientOfProxy, readProxyHead } from '../../kit/proxy-header';
import type { TrustedNetworks } from '../../kit/trusted-networks';
import { SshRefusal } from './ssh-refusal';

/**
 * Returns the address of the client: the peer of the socket, or the client that a configured load balancer
 * names in its header of the PROXY protocol. Nothing is read from other peers, because a client may wait for
 * the server's first line. The socket is left paused.
 * @throws SshRefusal
 */
export async function clientAddress(socket: Socket, proxies: TrustedNetworks): Promise<string> {
  const peer = socket.remoteAddress ?? '';
  socket.pause();
  if (!proxies.has(peer)) return peer;
  const head = readProxyHead(await takeBytes(socket, PROXY_HEAD_BYTES));
  if (head.kind === 'fault') throw new SshRefusal('proxy_header', new Error(head.why));
  return clientOfProxy(head, await takeBytes(socket, head.rest)) ?? peer;
}

/** Takes exactly `count` bytes, and leaves the rest in the socket. @throws SshRefusal if it ends earlier */
function takeBytes(socket: Socket, count: number): Promise<Buffer> {
  if (count === 0) return Promise.resolve(Buffer.alloc(0));
  return new Promise((resolve, reject) => {
    const settled = (): void => void socket.off('readable', read).off('close', closed).off('end', closed);
    const read = (): void => {
      const bytes = socket.read(count) as Buffer | null;
      if (bytes === null) return;
      settled();
      if (bytes.length === count) resolve(bytes);
      else reject(new SshRefusal('left'));
    };
    const closed = (): void => {
      settled();
      reject(new SshRefusal('left'));
    };
    socket.on('readable', read).on('close', closed).on('end', closed);
    read();
  });
}
