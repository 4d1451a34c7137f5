import { connect } from 'node:net';
import { describeGateway } from '../support/describe';
import { SLOWEST } from '../support/eventually';
import { checkAnswer } from '../support/watched-answers';

const REQUEST_SECONDS = 1;

interface Heard {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  readonly afterMs: number;
}

const SETTINGS = { environment: { REQUEST_SECONDS: String(REQUEST_SECONDS) } };

/** Tests errors before a request is complete: invalid bytes, and bytes that do not arrive. */
describeGateway('a connection', SETTINGS, ({ gateway }) => {
  /**
   * Sends `bytes`, then sends `drip` repeatedly until the gateway closes the connection. Resolves with the
   * answer.
   */
  function say(bytes: string | Buffer, drip?: string): Promise<Heard> {
    const { hostname, port } = new URL(gateway.api);
    const startedAt = performance.now();
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      const socket = connect(Number(port), hostname, () => socket.write(bytes));
      const dripping = drip === undefined ? undefined : setInterval(() => socket.write(drip), 100);
      socket.on('data', (chunk: Buffer) => chunks.push(chunk));
      socket.on('error', () => undefined);
      socket.once('close', () => {
        clearInterval(dripping);
        const [head = '', ...body] = Buffer.concat(chunks).toString().split('\r\n\r\n');
        const [status = '', ...headers] = head.split('\r\n');
        const afterMs = performance.now() - startedAt;
        if (head === '') return reject(new Error(`no answer within ${afterMs} ms`));
        const pairs = headers.map((line) => line.split(/: (.*)/).slice(0, 2) as [string, string]);
        const heard = {
          status: Number(status.split(' ')[1]),
          headers: new Headers(pairs),
          body: JSON.parse(body.join('\r\n\r\n')) as unknown,
        };
        // Checks the answer as if it came from `GET /healthz`, because every route may answer like this.
        checkAnswer({ method: 'GET', path: '/healthz', ...heard });
        resolve({ ...heard, afterMs });
      });
    });
  }

  const HOST = 'Host: gateway.example.com';
  const get = (...headers: string[]) =>
    ['GET /api/healthz HTTP/1.1', 'Connection: close', ...headers, '', ''].join('\r\n');

  it('that is sound is served', async () => {
    expect((await say(get(HOST))).status).toBe(200);
    expect((await say(get().replace('HTTP/1.1', 'HTTP/1.0'))).status).toBe(200);
  });

  // promises: HTTP-11
  it.each<[string, number, string | Buffer]>([
    ['bytes that are no HTTP', 400, Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3])],
    ['a line that is none', 400, 'nonsense\r\n\r\n'],
    ['a version that is none', 400, `GET / HTTP/9.9\r\n${HOST}\r\n\r\n`],
    ['a broken header', 400, get(HOST, 'no colon')],
    ['a header with a bare line feed', 400, get(HOST, 'a: b\nc: d')],
    ['a header with NUL', 400, get(HOST, 'a: \0')],
    ['both lengths of a body', 400, get(HOST, 'Content-Length: 5', 'Transfer-Encoding: chunked')],
    ['two lengths of a body', 400, get(HOST, 'Content-Length: 5', 'Content-Length: 6')],
    ['two Host headers', 400, get(HOST, 'Host: other.example.com')],
    ['the same Host header twice', 400, get(HOST, 'host: gateway.example.com')],
    ['no Host header', 400, get()],
    ['headers of 20 kB', 431, get(HOST, `a: ${'x'.repeat(20_000)}`)],
    ['headers of 90 kB', 431, get(HOST, `a: ${'x'.repeat(90_000)}`)],
    [
      'many headers of 1 kB',
      431,
      get(HOST, ...Array.from({ length: 20 }, (_, n) => `x${n}: ${'x'.repeat(1_000)}`)),
    ],
    ['a token of 90 kB', 431, get(HOST, `Authorization: Bearer ${'x'.repeat(90_000)}`)],
    ['a path of 90 kB', 431, `GET /${'x'.repeat(90_000)} HTTP/1.1\r\n${HOST}\r\n\r\n`],
    ['a path of 20 kB', 431, get(HOST).replace('/api/healthz', `/${'x'.repeat(20_000)}`)],
    ['300 headers', 431, get(HOST, ...Array.from({ length: 300 }, (_, index) => `x${index}: 1`))],
    [
      'a second Host header after 2 500',
      431,
      get(HOST, ...Array.from({ length: 2_500 }, () => 'a:1'), 'Host: b'),
    ],
    ['an expectation', 417, get(HOST, 'Expect: miracles')],
    ['a request for a tunnel', 405, `CONNECT example.com:443 HTTP/1.1\r\n${HOST}\r\n\r\n`],
  ])('with %s is told so: %i', async (_, status, bytes) => {
    const heard = await say(bytes);
    expect([heard.status, heard.body]).toEqual([status, { message: expect.stringMatching(/^(the|an?) /) }]);
    expect(heard.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(heard.headers.get('cache-control')).toBe('no-store');
    expect(heard.headers.get('content-type')).toMatch(/^application\/json/);
  });

  const post = async (...headers: string[]) =>
    [
      'POST /api/groups HTTP/1.1',
      HOST,
      `Authorization: Bearer ${await gateway.token('admin')}`,
      'Content-Type: application/json',
      'x-request-id: slow-body',
      ...headers,
      '',
      '',
    ].join('\r\n');

  // promises: HTTP-11
  it.each<[string, () => Promise<string>, string | undefined]>([
    ['says nothing', async () => '', undefined],
    ['sends half a header', async () => `GET /api/healthz HTTP/1.1\r\n${HOST}\r\nx`, undefined],
    ['sends headers drop by drop', async () => `GET /api/healthz HTTP/1.1\r\n${HOST}\r\n`, 'a: b\r\n'],
    ['sends half a body', () => post('Content-Length: 100').then((head) => `${head}{"name":`), undefined],
    ['sends a body drop by drop', () => post('Content-Length: 100000'), ' '],
    ['sends chunks drop by drop', () => post('Transfer-Encoding: chunked'), '1\r\n \r\n'],
  ])('that %s is cut with 408', async (_, bytes, drip) => {
    const heard = await say(await bytes(), drip);
    expect([heard.status, heard.body]).toEqual([408, { message: 'the request took too long to arrive' }]);
    expect(heard.headers.get('x-request-id')).toMatch(/./);
    expect(heard.afterMs).toBeGreaterThan(REQUEST_SECONDS * 900);
    expect(heard.afterMs).toBeLessThan(REQUEST_SECONDS * 1_000 * SLOWEST * 5);
  });

  it('keeps the id of a request whose body does not come', async () => {
    const heard = await say(`${await post('Content-Length: 100')}{`);
    expect(heard.headers.get('x-request-id')).toBe('slow-body');
  });
});
