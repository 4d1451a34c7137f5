import { type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import { type AddressInfo } from 'node:net';

/** A proxy between a client and a gateway. The address that the client uses selects the fault. */
export interface FaultProxy {
  readonly address: string;
  close(): Promise<void>;
}

type Pass = (more?: (answer: IncomingMessage, response: ServerResponse) => void) => void;
type Fault = (parameters: readonly string[], count: number, response: ServerResponse, pass: Pass) => void;

/** Faults by name. Addresses are `/<fault>/<parameters>/<name>/api/...`. Requests are counted by `<name>`. */
const faults: Readonly<Record<string, readonly [parameters: number, Fault]>> = {
  /**
   * `/status/429/1/2`: the first two requests are answered 429 with `Retry-After: 1`. With `date` instead of
   * `1`, the header has a date one second ahead. With `none`, there is no header.
   */
  status: [
    3,
    ([status, after, times], count, response, pass) => {
      if (count > Number(times)) return pass();
      const inOneSecond = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 1_000).toUTCString();
      response.writeHead(Number(status), {
        'content-type': 'text/html',
        ...(after !== 'none' && { 'retry-after': after === 'date' ? inOneSecond : String(after) }),
      });
      response.end('<html>not a sentence of the gateway</html>');
    },
  ],
  /** `/drop/2`: the first two requests get no answer, because the proxy closes the connection. */
  drop: [
    1,
    ([times], count, response, pass) => {
      if (count > Number(times)) pass();
      else response.destroy();
    },
  ],
  /** `/cut/2`: every answer is cut within its third server-sent event. */
  cut: [
    1,
    ([messages], _, __, pass) => pass((answer, response) => cutAfter(Number(messages), answer, response)),
  ],
};

/** Starts the proxy. `GET <address>/count/<name>` returns the number of requests with this name. */
export async function startFaultProxy(api: string): Promise<FaultProxy> {
  const counts = new Map<string, number>();
  const server = createServer((incoming, response) => {
    const [, fault = '', ...rest] = (incoming.url ?? '').split('/');
    if (fault === 'count') {
      response.end(String(counts.get(rest[0] ?? '') ?? 0));
      return;
    }
    const [size, fail] = faults[fault] ?? [0, undefined];
    const name = rest[size] ?? '';
    const path = `/${rest.slice(size + 1).join('/')}`;
    if (fail === undefined || !path.startsWith('/api/')) {
      response.writeHead(501).end();
      return;
    }
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    fail(rest.slice(0, size), count, response, (more = (answer, to) => answer.pipe(to)) => {
      forward(new URL(path, api), incoming, response, more);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function forward(
  to: URL,
  incoming: IncomingMessage,
  response: ServerResponse,
  answered: (answer: IncomingMessage, response: ServerResponse) => void,
): void {
  const headers = { ...incoming.headers, host: to.host };
  const outgoing = request(to, { method: incoming.method ?? 'GET', headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answered(answer, response);
  });
  outgoing.on('error', () => response.destroy());
  response.on('close', () => outgoing.destroy());
  incoming.pipe(outgoing);
}

/** Passes `messages` server-sent events and half of the next event. Always passes the `end` event whole. */
function cutAfter(messages: number, answer: IncomingMessage, response: ServerResponse): void {
  let passed = 0;
  let rest = '';
  answer.setEncoding('utf8');
  answer.on('data', (text: string) => {
    const blocks = `${rest}${text}`.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const isMessage = /^data:/m.test(block);
      const isLast = /^event: ?end$/m.test(block);
      if (passed > messages) return;
      if (passed < messages || isLast || !isMessage) response.write(`${block}\n\n`);
      // Closes the connection only after the write, so that the passed data arrives.
      else response.write(block.slice(0, block.length / 2), () => response.destroy());
      passed += isMessage && !isLast ? 1 : 0;
    }
  });
  answer.on('end', () => {
    if (passed <= messages) response.end(rest);
  });
  answer.on('error', () => response.destroy());
}
