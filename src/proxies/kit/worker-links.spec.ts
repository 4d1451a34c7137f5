import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { type IncomingMessage, type Server, type ServerResponse, createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { type WorkerExchange, WorkerLinks } from './worker-links';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

interface Worker {
  readonly links: WorkerLinks;
  readonly http: Server;
  readonly port: number;
  handle: Handler;
}

const NOT_PASSED: Handler = (_request, response) => void response.writeHead(404).end('not here');

// promises: WORKER-1
describe('WorkerLinks', () => {
  let exchange: WorkerExchange;
  let here: Worker;
  let there: Worker;

  beforeEach(async () => {
    jest.spyOn(Logger.prototype, 'debug').mockImplementation();
    exchange = { directory: await mkdtemp(join(tmpdir(), 'links-')), secret: randomBytes(32) };
    here = await worker();
    there = await worker();
  });

  afterEach(async () => {
    for (const { links, http } of [here, there]) {
      await links.onApplicationShutdown();
      http.close();
      http.closeAllConnections();
    }
    await rm(exchange.directory, { recursive: true, force: true });
  });

  async function worker(): Promise<Worker> {
    const links = new WorkerLinks();
    const made: Worker = { links, http: createServer(), port: 0, handle: NOT_PASSED };
    made.http.on('request', (asked: IncomingMessage, response: ServerResponse) => {
      const text = String(asked.headers['x-session']);
      const answer = async (): Promise<void> => {
        if (!(await links.pass(text, asked, response))) made.handle(asked, response);
      };
      void answer();
    });
    made.http.listen(0, '127.0.0.1');
    await once(made.http, 'listening');
    await links.open(exchange, made.http);
    return Object.assign(made, { port: (made.http.address() as AddressInfo).port });
  }

  function ask(session: string, options: { method?: string; body?: Buffer; headers?: object } = {}) {
    const { method = 'POST', body, headers } = options;
    return fetch(`http://127.0.0.1:${here.port}/a%2Fb?c=d`, {
      method,
      headers: { ...headers, 'x-session': session },
      ...(body === undefined ? {} : { body }),
    });
  }

  it('pass a request with all that was said, and with the address of the client', async () => {
    const body = randomBytes(3 * 1024 * 1024);
    there.handle = (asked, response) => {
      const answer = async (): Promise<void> => {
        const parts = (await asked.toArray()) as Buffer[];
        const { method, url, headers, socket } = asked;
        const said = { method, url, authorization: headers.authorization, address: socket.remoteAddress };
        const isWhole = Buffer.concat(parts).equals(body);
        response.writeHead(418, {
          'set-cookie': ['a=1', 'b=2'],
          'x-said': JSON.stringify({ ...said, isWhole }),
        });
        response.end(body);
      };
      void answer();
    };
    const answer = await ask(there.links.named('id'), { body, headers: { authorization: 'Bearer t' } });
    expect(answer.status).toBe(418);
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(JSON.parse(answer.headers.get('x-said') ?? '')).toEqual({
      method: 'POST',
      url: '/a%2Fb?c=d',
      authorization: 'Bearer t',
      address: '127.0.0.1',
      isWhole: true,
    });
    expect(Buffer.from(await answer.arrayBuffer()).equals(body)).toBe(true);
  });

  it('stream both ways, and tell the other worker when the client leaves', async () => {
    const left = new Promise<void>((resolve) => {
      there.handle = (asked, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('open\n');
        asked.on('data', (data: Buffer) => response.write(`heard ${data.toString()}\n`));
        response.once('close', resolve);
      };
    });
    const headers = { 'x-session': there.links.named('id'), 'transfer-encoding': 'chunked' };
    const asking = request({ port: here.port, method: 'POST', headers });
    asking.flushHeaders();
    const [answer] = (await once(asking, 'response')) as [IncomingMessage];
    answer.on('error', () => undefined);
    asking.on('error', () => undefined);
    expect(await heard(answer)).toBe('open\n');
    for (const word of ['one', 'two']) {
      asking.write(word);
      expect(await heard(answer)).toBe(`heard ${word}\n`);
    }
    asking.destroy();
    await left;
  });

  it('break the answer when the other worker breaks it', async () => {
    there.handle = (_asked, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.destroy());
    };
    await expect(ask(there.links.named('id')).then((answer) => answer.text())).rejects.toThrow('terminated');
  });

  it('keep doubled headers, and a body of known length', async () => {
    there.handle = ({ rawHeaders }, response) => void response.end(JSON.stringify(rawHeaders));
    const socket = connect(here.port, '127.0.0.1');
    const session = there.links.named('id');
    socket.write(
      `POST / HTTP/1.1\r\nHost: a\r\nhost: b\r\nX-Session: ${session}\r\nContent-Length: 2\r\nConnection: close\r\n\r\nab`,
    );
    const text = Buffer.concat(await socket.toArray()).toString();
    expect(text).toContain('["Connection","close","Host","a","host","b","X-Session"');
    expect(text).toContain('"Content-Length","2"]');
  });

  it('leave to this worker what names itself, nobody, somebody who is gone, or a file', async () => {
    await there.links.onApplicationShutdown();
    for (const name of [
      here.links.named('id'),
      there.links.named('id'),
      `${'A'.repeat(8)}.id`,
      '../../../.id',
      'id',
      '',
    ]) {
      const answer = await ask(name, { body: Buffer.from('body') });
      expect([name, answer.status, await answer.text()]).toEqual([name, 404, 'not here']);
    }
  });

  it('pass nothing on twice', async () => {
    // As if two workers took each other for the one.
    const third = await worker();
    there.http.removeAllListeners('request');
    there.http.on('request', (asked: IncomingMessage, response: ServerResponse) => {
      const answer = async (): Promise<void> => {
        response.end(String(await there.links.pass(third.links.named('id'), asked, response)));
      };
      void answer();
    });
    expect(await (await ask(there.links.named('id'))).text()).toBe('false');
    await third.links.onApplicationShutdown();
    third.http.close();
  });

  it('answer nobody without the secret', async () => {
    const name = there.links.named('').slice(0, -1);
    expect(await readdir(exchange.directory)).toContain(name);
    const asked = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
    for (const first of ['', randomBytes(96), randomBytes(32), '\0'.repeat(96)]) {
      const socket = connect(join(exchange.directory, name)).on('error', () => undefined);
      socket.write(first);
      socket.end(asked.padEnd(128));
      expect((await socket.toArray()).length).toBe(0);
    }
  });

  it('end streams of other workers when this one stops', async () => {
    there.handle = (_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('open\n');
    };
    const answer = await ask(there.links.named('id'), { method: 'GET' });
    here.links.onModuleDestroy();
    expect(await answer.text()).toBe('open\n');
  });
});

async function heard(answer: IncomingMessage): Promise<string> {
  const [data] = (await once(answer, 'data')) as [Buffer];
  return data.toString();
}
