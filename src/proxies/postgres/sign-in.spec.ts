import { setTimeout as delay } from 'node:timers/promises';
import * as fc from '../../../test/support/fast-check';
import { eventually } from '../../../test/support/eventually';
import {
  CREDENTIAL_ID,
  LONG_TOKEN,
  BAD_CREDENTIAL,
  TOKEN,
  type TestProxy,
  alice,
  startProxy,
} from '../../../test/support/postgres-proxy';
import {
  GSSENC_REQUEST,
  RawClient,
  SSL_REQUEST,
  answer,
  cancelRequest,
  packet,
  startUp,
} from '../../../test/support/raw-client';
import { AppError } from '../../kernel/app-error';

describe('signing in without TLS', () => {
  let proxy: TestProxy;
  const connect = (): Promise<RawClient> => RawClient.connect(proxy.port);

  beforeEach(async () => {
    proxy = await startProxy();
  });

  afterEach(() => proxy.close());

  it('a token as password, from this machine: what the client brought is handed on', async () => {
    const client = await connect();
    client.send(startUp({ user: 'alice', database: 'orders', application_name: 'x', options: '-c a=b' }));
    expect(await client.message()).toEqual({ type: 'R', body: Buffer.from([0, 0, 0, 3]) });
    client.send(answer(`${TOKEN}\0`), 'Q\0\0\0\x06h\0');
    expect(await client.message()).toEqual({ type: 'R', body: Buffer.from([0, 0, 0, 0]) });
    const [served] = proxy.frontend.served;
    expect(served).toMatchObject({
      principal: alice,
      credential: null,
      database: 'orders',
      protocol: { minor: 0, options: [] },
      address: '127.0.0.1',
      rest: Buffer.from('Q\0\0\0\x06h\0'),
    });
    expect([...(served?.settings ?? [])]).toEqual([
      ['a', 'b'],
      ['application_name', 'x'],
    ]);
  });

  it('the database is the user where none is named, and a token may be 64 KiB long', async () => {
    const client = await connect();
    client.send(startUp({ user: 'alice' }, (3 << 16) | 2), answer(`${LONG_TOKEN}\0`));
    await client.message();
    expect((await client.message()).body).toEqual(Buffer.alloc(4));
    expect(proxy.frontend.served[0]).toMatchObject({
      database: 'alice',
      protocol: { minor: 2, options: [] },
    });
  });

  it('SSLRequest and GSSENCRequest are answered N, in either order, once each', async () => {
    for (const requests of [
      [SSL_REQUEST, GSSENC_REQUEST],
      [GSSENC_REQUEST, SSL_REQUEST],
    ]) {
      const client = await connect();
      for (const request of requests) expect((await client.send(request).bytes(1)).toString()).toBe('N');
      client.send(startUp({ user: 'alice' }));
      expect((await client.message()).type).toBe('R');
      client.socket.destroy();
    }
    for (const request of [SSL_REQUEST, GSSENC_REQUEST]) {
      const client = await connect();
      await client.send(request).bytes(1);
      expect(await client.send(request).refusal()).toMatchObject({ S: 'FATAL', C: '08P01' });
    }
  });

  it('what comes in clear text behind such a request ends it without a word', async () => {
    for (const request of [SSL_REQUEST, GSSENC_REQUEST]) {
      const client = await connect();
      client.send(request, startUp({ user: 'alice' }));
      expect(await client.untilEnd()).toHaveLength(0);
    }
  });

  it('direct TLS is not answered where there is no certificate', async () => {
    const client = await connect();
    await expect(client.secure({ ALPNProtocols: ['postgresql'] })).rejects.toThrow('disconnected');
  });

  it.each([
    ['no version 3', startUp({ user: 'a' }, 2 << 16), '0A000'],
    ['a user without a value', packet(3 << 16, Buffer.from('user\0')), '08P01'],
    ['no user', startUp({ database: 'd' }), '28000'],
    ['replication', startUp({ user: 'a', replication: 'database' }), '0A000'],
    ['another encoding', startUp({ user: 'a', client_encoding: 'LATIN1' }), '0A000'],
    ['a cancel request without a key', packet(80_877_102, Buffer.alloc(4)), '08P01'],
  ])('%s is refused in a sentence', async (_, bytes, code) => {
    const client = await connect();
    const refused = await client.send(bytes).refusal();
    expect(refused).toMatchObject({ S: 'FATAL', V: 'FATAL', C: code });
    expect(refused['M']).toMatch(/^[A-Z].*\.$/);
  });

  it.each([
    ['HTTP', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a length of 3', '\0\0\0\x03'],
    ['a length of 10 005', '\0\0\x27\x15'],
    ['a negative length', '\x80\0\0\0'],
  ])('%s is hung up on without a word', async (_, bytes) => {
    const client = await connect();
    expect(await client.send(Buffer.from(bytes, 'latin1')).untilEnd()).toHaveLength(0);
  });

  it.each([
    ['an expired token', 'gone'],
    ['no password', ''],
    ['what no header could carry', 'a\r\nb'],
  ])('%s is a bad credential, and counts', async (_, password) => {
    const client = await connect();
    client.send(startUp({ user: 'alice' }), answer(`${password}\0`));
    await client.message();
    expect(await client.refusal()).toEqual(BAD_CREDENTIAL);
    expect(proxy.authenticator.failures).toBe(1);
    expect(proxy.authenticator.asked).toEqual(password === 'gone' ? ['gone'] : []);
  });

  it.each([
    ['a guesser', new AppError('too_many_requests', 'too many bad credentials'), '53300'],
    ['an identity provider that is silent', new AppError('unavailable', 'cannot be asked'), '57P03'],
    ['a fault', new Error('secret detail'), 'XX000'],
    ['a lost database', Object.assign(new Error('secret detail'), { code: 'ECONNREFUSED' }), '57P03'],
  ])('%s is told so', async (_, fault, code) => {
    proxy.authenticator.fault = fault;
    const client = await connect();
    client.send(startUp({ user: 'alice' }), answer('x\0'));
    await client.message();
    const refused = await client.refusal();
    expect(refused).toMatchObject({ S: 'FATAL', C: code });
    expect(refused['M']).not.toContain('secret');
  });

  it.each([
    ['another message', Buffer.from('Q\0\0\0\x05\0')],
    ['no NUL', answer('x')],
    ['a negative length', Buffer.from('p\xff\xff\xff\xff', 'latin1')],
    ['a length of 3', Buffer.from('p\0\0\0\x03')],
    ['a claimed gigabyte', Buffer.from('p\x40\0\0\0 ten bytes', 'latin1')],
    ['a token over 64 KiB', answer(`${LONG_TOKEN}x\0`)],
  ])('%s instead of a password is a fault of the protocol', async (_, bytes) => {
    const client = await connect();
    client.send(startUp({ user: 'alice' }), bytes);
    await client.message();
    expect(await client.refusal()).toMatchObject({ C: '08P01' });
  });

  it.each([4, 32, 256])(
    'a cancel request with a key of %d bytes is passed on, and only hung up on',
    async (length) => {
      const key = Buffer.alloc(length, 0xab);
      const client = await connect();
      expect(await client.send(cancelRequest(77, key)).untilEnd()).toHaveLength(0);
      expect(proxy.frontend.cancelled).toMatchObject([{ processId: 77, key, address: '127.0.0.1' }]);
    },
  );

  it('a cancel request counts though its client does not wait', async () => {
    const client = await connect();
    client.socket.end(cancelRequest(78, Buffer.alloc(4)));
    await eventually('the request', async () => proxy.frontend.cancelled.length === 1);
  });

  it('is the same however the bytes are cut', async () => {
    const start = startUp({ user: 'alice', database: 'orders', TimeZone: 'UTC' });
    const answers = new Set<string>();
    const cuts = start.length + answer(`${TOKEN}\0`).length;
    for (let at = 1; at < cuts; at += 1) {
      const client = await connect();
      const all = Buffer.concat([start, answer(`${TOKEN}\0`)]);
      client.send(all.subarray(0, at));
      await delay(1);
      client.send(all.subarray(at));
      const messages = [await client.message(), await client.message(), await client.message()];
      answers.add(JSON.stringify(messages));
      client.socket.destroy();
    }
    expect(answers.size).toBe(1);
    expect(proxy.frontend.served.length).toBe(cuts - 1);
    expect(new Set(proxy.frontend.served.map((client) => JSON.stringify([...client.settings]))).size).toBe(1);
  });

  it('goes on serving whatever others send', async () => {
    const byte = fc.uint8Array({ minLength: 1, maxLength: 200 });
    const begun = byte.map((bytes) => Buffer.concat([startUp({ user: CREDENTIAL_ID }), bytes]));
    await fc.assert(
      fc.asyncProperty(fc.oneof(byte, begun), async (bytes) => {
        const client = await connect();
        client.socket.end(bytes);
        await client.untilEnd();
      }),
      { numRuns: 300 },
    );
    const good = await connect();
    good.send(startUp({ user: 'alice' }), answer(`${TOKEN}\0`));
    await good.message();
    expect((await good.message()).body).toEqual(Buffer.alloc(4));
  });
});
