import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

/** Passes requests on with a bearer token, which the suite cannot send, and changes nothing else. */
export interface BearerShim {
  readonly origin: string;
  /** Sets the target of later requests, and the token that they carry. */
  readonly lead: (endpoint: string, token: string) => void;
  close(): Promise<void>;
}

export async function startBearerShim(): Promise<BearerShim> {
  let to: { readonly endpoint: string; readonly token: string } | undefined;
  const server = createServer((asked, answer) => {
    if (to === undefined) answer.writeHead(503).end();
    else passOn(asked, answer, to.endpoint, to.token);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lead: (endpoint, token) => void (to = { endpoint, token }),
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function passOn(asked: IncomingMessage, answer: ServerResponse, endpoint: string, token: string): void {
  const headers = { ...asked.headers, authorization: `Bearer ${token}` };
  const onward = request(endpoint, { method: asked.method ?? 'POST', headers });
  onward.on('response', (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers);
    answer.flushHeaders();
    pipeline(response, answer, () => undefined);
  });
  onward.on('error', () => answer.destroy());
  answer.on('close', () => onward.destroy());
  pipeline(asked, onward, () => undefined);
}
