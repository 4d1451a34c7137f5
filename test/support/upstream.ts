import type { Socket } from 'node:net';
import type { Upstream } from '../../src/proxies/postgres/upstream';

/**
 * Sends a simple query on an upstream connection (to the target) whose socket has no listener. Resolves with
 * all bytes up to ReadyForQuery.
 */
export function ask({ socket }: Pick<Upstream, 'socket'>, sql: string): Promise<string> {
  const text = Buffer.from(`${sql}\0`);
  const head = Buffer.from([0x51, 0, 0, 0, 0]);
  head.writeUInt32BE(text.length + 4, 1);
  const answer = untilReady(socket);
  socket.write(Buffer.concat([head, text]));
  return answer;
}

function untilReady(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = Buffer.alloc(0);
    const take = (chunk: Buffer): void => {
      said = Buffer.concat([said, chunk]);
      // ReadyForQuery (`Z`, length 5, one status byte) is the last message of an answer.
      if (said.subarray(-6, -1).toString('hex') === '5a00000005')
        settle(() => resolve(said.toString('latin1')));
    };
    const end = (): void => settle(() => reject(new Error('the upstream ended')));
    const settle = (how: () => void): void => {
      socket.off('data', take).off('close', end);
      socket.pause();
      how();
    };
    socket
      .on('data', take)
      .on('close', end)
      .on('error', () => undefined);
    socket.resume();
  });
}
