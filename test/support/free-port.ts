import { createServer } from 'node:net';

/** Below the ports that systems give to outgoing connections, which could take a free one before its server listens. */
const FIRST_PORT = 12_000;
const PORTS_OF_A_WORKER = 2_000;
const worker = Number(process.env['JEST_WORKER_ID'] ?? 1) % 8;
// Another run on the same machine begins at another port.
let nextPort = Math.floor(Math.random() * PORTS_OF_A_WORKER);

export async function freePort(): Promise<number> {
  for (;;) {
    nextPort = (nextPort + 1) % PORTS_OF_A_WORKER;
    const port = FIRST_PORT + worker * PORTS_OF_A_WORKER + nextPort;
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const isListening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (isListening) await new Promise((closed) => server.close(closed));
  return isListening;
}
