import { connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Waits until somebody listens on the port of this machine's loopback. */
export async function answers(port, isAlive) {
  for (let attempt = 0; attempt < 100 && isAlive(); attempt++) {
    const isOpen = await new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (isOpen) return;
    await delay(50);
  }
  throw new Error(`nobody listens on port ${port}`);
}
