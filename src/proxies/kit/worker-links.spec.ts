import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { type IncomingMessage, type ServerResponse, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type LinkedWorker, LinkedWorkers, askWorker } from '../../../test/support/linked-workers';

// promises: WORKER-1
describe('WorkerLinks', () => {
  let workers: LinkedWorkers;
  let here: LinkedWorker;
  let there: LinkedWorker;

  beforeEach(async () => {
    workers = await LinkedWorkers.open();
    here = await workers.begin();
    there = await workers.begin();
  });
  afterEach(() => workers.close());

  const ask = (session: string, options?: Parameters<typeof askWorker>[2]): Promise<Response> =>
    askWorker(here, session, options);

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

  it('bring an answer that comes before the whole request, and say that the connection ends', async () => {
    there.handle = (_asked, response) => void response.writeHead(401).end('who are you');
    for (let tries = 0; tries < 50; tries += 1) {
      const headers = { 'x-session': there.links.named('id'), 'content-length': 1_000_000 };
      const asking = request({ port: here.port, method: 'POST', headers });
      asking.on('error', () => undefined);
      asking.write(randomBytes(100_000));
      const [answer] = (await once(asking, 'response')) as [IncomingMessage];
      const text = Buffer.concat(await answer.toArray()).toString();
      expect([answer.statusCode, answer.headers.connection, text]).toEqual([401, 'close', 'who are you']);
      asking.destroy();
    }
  });

  it('keep doubled headers, and a body of known length', async () => {
    there.handle = ({ rawHeaders }, response) => void response.end(JSON.stringify(rawHeaders));
    const socket = connect(here.port, '127.0.0.1');
    const session = there.links.named('id');
    socket.write(
      `POST / HTTP/1.1\r\nHost: a\r\nhost: b\r\nX-Session: ${session}\r\nContent-Length: 2\r\nConnection: close\r\n\r\nab`,
    );
    const text = Buffer.concat(await socket.toArray()).toString();
    expect(text).toContain('["Connection","keep-alive","Host","a","host","b","X-Session"');
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
    // The worker `there` gets a request from `here`, and tries to pass it on to a third worker.
    const third = await workers.begin();
    there.http.removeAllListeners('request');
    there.http.on('request', (asked: IncomingMessage, response: ServerResponse) => {
      const answer = async (): Promise<void> => {
        response.end(String(await there.links.pass(third.links.named('id'), asked, response)));
      };
      void answer();
    });
    expect(await (await ask(there.links.named('id'))).text()).toBe('false');
  });

  it('answer nobody without the secret', async () => {
    const name = there.links.named('').slice(0, -1);
    expect(await readdir(workers.exchange.directory)).toContain(name);
    const asked = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
    for (const first of ['', randomBytes(96), randomBytes(32), '\0'.repeat(96)]) {
      const socket = connect(join(workers.exchange.directory, name)).on('error', () => undefined);
      socket.write(first);
      socket.end(asked.padEnd(128));
      expect((await socket.toArray()).length).toBe(0);
    }
  });
});

async function heard(answer: IncomingMessage): Promise<string> {
  const [data] = (await once(answer, 'data')) as [Buffer];
  return data.toString();
}
