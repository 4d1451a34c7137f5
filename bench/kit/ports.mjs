import { connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Ports below those that systems give to outgoing connections, and above those of the tests. Each bench
 * starts at a random port, because two benches may run in parallel.
 */
const [FIRST_PORT, PORTS] = [28_000, 4_000];
let next = Math.floor(Math.random() * PORTS);

export async function freePort() {
  for (;;) {
    next = (next + 1) % PORTS;
    const port = FIRST_PORT + next;
    if (await isFree(port)) return port;
  }
}

async function isFree(port) {
  const server = createServer();
  const isListening = await new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (isListening) await new Promise((resolve) => server.close(resolve));
  return isListening;
}

/** Waits until a program listens on the port of this machine's loopback. */
export async function answers(port, isAlive, attempts = 100) {
  for (let attempt = 0; attempt < attempts && isAlive(); attempt++) {
    const isOpen = await new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (isOpen) return;
    await delay(50);
  }
  throw new Error(`nobody listens on port ${port}`);
}
