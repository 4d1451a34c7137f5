import { type Server, createServer } from 'node:net';
import { asWorker } from './jest/leaks.cjs';

/**
 * First port of all blocks. The blocks are below the ephemeral ports of operating systems, so that an
 * outgoing connection cannot take a free port before its server listens.
 */
const FIRST_PORT = 12_000;
const BLOCKS = 100;
const PORTS_OF_A_BLOCK = 200;

/**
 * First port of this process's block. A block belongs to the process that listens on its first port, until
 * that process ends. So workers, runs and checkouts on one machine share no block, and no other process takes
 * a free port before its server listens.
 */
let block: Promise<number> | undefined;
let next = 0;

export async function freePort(): Promise<number> {
  block ??= asWorker(claimBlock);
  const first = await block;
  for (let tries = 1; tries < PORTS_OF_A_BLOCK; tries += 1) {
    next = (next % (PORTS_OF_A_BLOCK - 1)) + 1;
    const port = first + next;
    const server = await listeningOn(port);
    if (server === undefined) continue;
    await new Promise((closed) => server.close(closed));
    return port;
  }
  throw new Error(`no port is free from ${first + 1} to ${first + PORTS_OF_A_BLOCK - 1}`);
}

/** Returns the first port of a block, on which this process listens from now on. */
async function claimBlock(): Promise<number> {
  const start = Math.floor(Math.random() * BLOCKS);
  for (let tries = 0; tries < BLOCKS; tries += 1) {
    const first = FIRST_PORT + ((start + tries) % BLOCKS) * PORTS_OF_A_BLOCK;
    const holder = await listeningOn(first);
    if (holder === undefined) continue;
    holder.unref().on('connection', (socket) => socket.destroy());
    return first;
  }
  throw new Error(`all ${BLOCKS} blocks of ports belong to other processes`);
}

async function listeningOn(port: number): Promise<Server | undefined> {
  const server = createServer();
  const isListening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  return isListening ? server : undefined;
}
