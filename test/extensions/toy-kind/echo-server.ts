import { type Server, type Socket, connect, createServer } from 'node:net';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { freePort } from '../../support/free-port';

/** A target that echoes each line. */
export async function startEchoServer(): Promise<{ port: number; heard: string[]; close(): void }> {
  const heard: string[] = [];
  const port = await freePort();
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined);
    createInterface({ input: socket }).on('line', (line) => {
      heard.push(line);
      socket.write(`${line}\n`);
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { port, heard, close: () => void server.close() };
}

export async function dialEcho(port: string | undefined): Promise<Socket> {
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}
