import { once } from 'node:events';
import { type Server, type ServerResponse, createServer } from 'node:http';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { eventually } from '../../../../test/support/eventually';
import { answerBrokenRequests } from './broken-requests';

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

/** Requests that reach no handler. The server writes their refusal directly to the connection. */
const BROKEN: Readonly<Record<string, string>> = {
  'bytes that are no HTTP': 'nonsense\r\n\r\n',
  'a header without a colon': 'GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n',
  'headers that are too large': `GET / HTTP/1.1\r\nHost: x\r\na: ${'x'.repeat(100_000)}\r\n\r\n`,
  'an expectation': 'GET / HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\n\r\n',
  'a request for a tunnel': 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n',
};

/** Requests that are being answered when a broken request arrives on the same connection. */
const BEFORE: Readonly<Record<string, string>> = {
  'an answer that has not begun': get('/silent'),
  'an answer in chunks': get('/chunks'),
  'an answer with a length': get('/length'),
  'a stream of events': get('/events'),
  'an answer, and a request that waits for it': get('/chunks') + get('/silent'),
  'an answer that has not begun, and a request that waits for it': get('/silent') + get('/silent'),
  'a request that waits behind a whole answer': get('/whole') + get('/silent'),
};

/** Handlers by path. Each writes the first part of its response. Only the response to `/whole` ends. */
const ANSWERS: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
  '/silent': () => undefined,
  '/chunks': (response) => response.write('{"data":['),
  '/length': (response) => response.writeHead(200, { 'Content-Length': 1_000 }).write('{"data":['),
  '/events': (response) =>
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\ndata: {'),
  '/whole': (response) => response.end('{}'),
};

describe('a broken request', () => {
  let server: Server;
  let socket: Socket;
  let begun = 0;
  const refused: number[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      ANSWERS[request.url ?? '']?.(response);
      begun += 1;
    });
    answerBrokenRequests(server, (status) => refused.push(status));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  beforeEach(() => {
    begun = 0;
    refused.length = 0;
    socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  });
  afterEach(() => socket.destroy());
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  /**
   * Sends the request `before`, and then the request `broken` while `before` is being answered. Resolves with
   * everything that was received when the connection is closed.
   */
  async function said(before: string, broken: string): Promise<string> {
    let text = '';
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.write(before);
    const requests = before.split('GET ').length - 1;
    await eventually('they are being answered', async () => begun >= requests);
    socket.write(broken);
    await closed;
    return text;
  }

  it.each(Object.keys(BROKEN))('that is %s is refused', async (broken) => {
    expect(await said('', BROKEN[broken] ?? '')).toMatch(/^HTTP\/1\.1 4\d\d .+\{"message":"[^"]+"\}$/s);
    expect(refused).toHaveLength(1);
  });

  // promises: HTTP-27
  it.each(
    Object.keys(BEFORE).flatMap((before) => Object.keys(BROKEN).map((broken) => [before, broken] as const)),
  )('behind %s is no part of it (%s)', async (before, broken) => {
    const text = await said(BEFORE[before] ?? '', BROKEN[broken] ?? '');
    expect(text).not.toMatch(/HTTP\/1\.1 4|message/);
    expect(text.endsWith('0\r\n\r\n')).toBe(false);
    expect(refused).toEqual([]);
  });

  it('whose body breaks is refused by the answer to it', async () => {
    const head = 'POST /silent HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.write(head);
    await eventually('it is being answered', async () => begun === 1);
    socket.write('zz\r\n');
    await once(socket, 'close');
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
  });
});
