import { type Server, createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface MutingProxy {
  readonly port: number;
  close(): void;
}

/**
 * Starts a proxy in front of a gateway. It forwards only the first bytes of each event stream, and closes no
 * stream. It forwards all other answers completely.
 */
export async function startMutingProxy(api: string): Promise<MutingProxy> {
  const server: Server = createServer((request, response) => {
    const { method, headers, url = '/' } = request;
    const onward = ask(new URL(url, api), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      if (answer.headers['content-type'] !== 'text/event-stream') return void answer.pipe(response);
      response.flushHeaders();
      answer.once('data', (bytes: Buffer) => response.write(bytes)).on('error', () => undefined);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
