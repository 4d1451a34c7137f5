import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

/** Proxy that adds a bearer token to requests, because the conformance suite cannot. Changes nothing else. */
export interface BearerShim {
  readonly origin: string;
  /** Sets the endpoint for later requests, and the token that is added to them. */
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
