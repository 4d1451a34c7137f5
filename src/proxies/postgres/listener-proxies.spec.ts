import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../../../test/support/eventually';
import { byPg } from '../../../test/support/postgres-clients';
import { CREDENTIAL_ID, TOKEN, type TestProxy, startProxy } from '../../../test/support/postgres-proxy';
import { ipv4Header, ipv6Header, proxyHeader } from '../../../test/support/proxy-header';
import { RawClient, SSL_REQUEST, answer, cancelRequest, startUp } from '../../../test/support/raw-client';
import { type TestCertificate, describeWith, makeCertificate } from '../../../test/support/tls';

const HERE = { PROXY_PROTOCOL_FROM: '127.0.0.0/8' };
const CLIENT = '192.0.2.44';

/** Settings of node-postgres that send the PROXY header before anything else, like a load balancer. */
function behind(header: Buffer) {
  return {
    stream: () => {
      const socket = new Socket();
      socket.once('connect', () => socket.write(header));
      return socket;
    },
  };
}

describe('PostgresListener behind a load balancer', () => {
  let proxy: TestProxy;
  const connect = (): Promise<RawClient> => RawClient.connect(proxy.port);
  const logged = (): string =>
    JSON.stringify(proxy.logged, (_, value: unknown) => (value instanceof Error ? value.message : value));

  beforeEach(async () => {
    proxy = await startProxy(undefined, { ...HERE, POSTGRES_PROXY_HANDSHAKE_SECONDS: '2' });
  });

  afterEach(() => proxy.close());

  it.each([
    ['IPv4', ipv4Header(CLIENT), CLIENT],
    ['IPv6', ipv6Header([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0x2c]), '2001:db8::2c'],
    ['IPv4 with more about the client', ipv4Header(CLIENT, 1, Buffer.alloc(3_000, 0xee)), CLIENT],
  ])('takes the address of the client from a header of %s', async (_, header, address) => {
    expect(await byPg(proxy.port, behind(header))).toBe('select 1');
    expect(proxy.frontend.served[0]).toMatchObject({ address });
  });

  it('reads a header that comes byte by byte, with the first message right behind it', async () => {
    const client = await connect();
    const bytes = Buffer.concat([ipv4Header('127.0.0.1'), startUp({ user: 'alice' })]);
    for (const byte of bytes) {
      client.send(Buffer.from([byte]));
      await delay(1);
    }
    expect(await client.message()).toEqual({ type: 'R', body: Buffer.from([0, 0, 0, 3]) });
    client.socket.destroy();
  });

  it('takes health checks of the load balancer itself as they are', async () => {
    const check = proxyHeader({ command: 0x20, family: 0, rest: Buffer.alloc(0) });
    expect(await byPg(proxy.port, { ...behind(check), user: 'alice', password: TOKEN })).toBe('select 1');
    expect(proxy.frontend.served[0]).toMatchObject({ address: '127.0.0.1' });
  });

  it('names the client of a cancel request', async () => {
    const client = await connect();
    client.send(ipv4Header(CLIENT), cancelRequest(7, Buffer.alloc(4, 1)));
    await client.untilEnd();
    expect(proxy.frontend.cancelled[0]).toMatchObject({ address: CLIENT, processId: 7 });
  });

  it('takes a token without TLS only if the client is on this machine, too', async () => {
    const token = { user: 'alice', password: TOKEN };
    expect(await byPg(proxy.port, { ...behind(ipv4Header('127.0.0.1')), ...token })).toBe('select 1');
    expect(await byPg(proxy.port, { ...behind(ipv4Header(CLIENT)), ...token })).toMatch(
      /^28000: .*over TLS only/,
    );
  });

  it('counts failures for the client, not for the load balancer', async () => {
    const attempts: unknown[] = [];
    jest
      .spyOn(proxy.authenticator, 'failed')
      .mockImplementation(async (attempt) => void attempts.push(attempt));
    const wrong = await byPg(proxy.port, { ...behind(ipv4Header(CLIENT)), password: 'wrong' });
    expect(wrong).toMatch(/^28P01/);
    expect(attempts).toEqual([expect.objectContaining({ address: CLIENT })]);
    expect(logged()).toContain(`"address":"${CLIENT}","proxy":"127.0.0.1"`);
  });

  it.each<[string, Buffer, RegExp]>([
    ['no header: TLS', Buffer.from([0x16, 3, 1]), /there is no header/],
    ['no header: a request for TLS', SSL_REQUEST, /there is no header/],
    ['no header: a start-up message', startUp({ user: CREDENTIAL_ID }), /there is no header/],
    ['version 1', Buffer.from('PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n'), /version 1/],
    ['no client', proxyHeader({ family: 0, rest: Buffer.alloc(0) }), /no client that came by TCP/],
    ['64 KiB of header', proxyHeader({ rest: Buffer.alloc(65_535) }), /longer than/],
    ['another signature', Buffer.from('\r\n\r\n\0\r\nQUIP\n\x21\x11\0\x0c', 'latin1'), /there is no header/],
  ])('closes without an answer, and without waiting for more, on %s', async (_, bytes, why) => {
    const client = await connect();
    expect(await client.send(bytes).untilEnd()).toHaveLength(0);
    await eventually('the log says why', async () => why.test(logged()));
    expect(logged()).toContain('"reason":"proxy_header"');
    expect(proxy.frontend.served).toEqual([]);
  });

  /** Lengths of incomplete PROXY headers. One test tries all, so that the time-outs run in parallel. */
  const SHORT_OF_A_HEADER = [0, 1, 12, 15, 16, 20, 27];

  it(`closes on a header that stops after ${SHORT_OF_A_HEADER.join(', ')} bytes`, async () => {
    await Promise.all(
      SHORT_OF_A_HEADER.map(async (length) => {
        const slow = await connect();
        slow.send(ipv4Header(CLIENT).subarray(0, length));
        const cut = await connect();
        cut.send(ipv4Header(CLIENT).subarray(0, length));
        cut.socket.end();
        expect([length, (await cut.untilEnd()).length]).toEqual([length, 0]);
        expect([length, (await slow.untilEnd()).length]).toEqual([length, 0]);
      }),
    );
    const { length } = SHORT_OF_A_HEADER;
    await eventually(
      'each that is slow is logged',
      async () => logged().split('"reason":"late"').length > length,
    );
  });
});

describe('PostgresListener that has other load balancers, or none', () => {
  it.each([
    ['', /not in PROXY_PROTOCOL_FROM/],
    ['10.0.0.0/8, ::1', /not in PROXY_PROTOCOL_FROM/],
  ])(
    'refuses a header of a stranger (PROXY_PROTOCOL_FROM=%s), and serves who sends none',
    async (networks, why) => {
      const proxy = await startProxy(undefined, { PROXY_PROTOCOL_FROM: networks });
      const client = await RawClient.connect(proxy.port);
      client.send(ipv4Header('127.0.0.1'), startUp({ user: 'alice' }), answer(`${TOKEN}\0`));
      expect(await client.untilEnd()).toHaveLength(0);
      const shown = JSON.stringify(proxy.logged, (_, value: unknown) =>
        value instanceof Error ? value.message : value,
      );
      expect(shown).toMatch(why);
      expect(await byPg(proxy.port)).toBe('select 1');
      expect(proxy.frontend.served).toHaveLength(1);
      await proxy.close();
    },
  );
});

describeWith('openssl')('PostgresListener behind a load balancer, with TLS', () => {
  let certificate: TestCertificate;
  let proxy: TestProxy;

  beforeAll(async () => {
    certificate = makeCertificate();
    proxy = await startProxy(certificate, HERE);
  });

  afterAll(() => proxy.close());

  it('begins TLS after the header, asked for and direct', async () => {
    const ssl = { ca: certificate.cert, host: 'localhost' };
    expect(await byPg(proxy.port, { ...behind(ipv4Header(CLIENT)), ssl, enableChannelBinding: true })).toBe(
      'select 1',
    );
    const token = { user: 'alice', password: TOKEN };
    expect(await byPg(proxy.port, { ...behind(ipv4Header(CLIENT)), ssl, ...token })).toBe('select 1');
    const direct = await RawClient.connect(proxy.port);
    direct.send(ipv4Header(CLIENT));
    await direct.secure({ ALPNProtocols: ['postgresql'] });
    direct.send(startUp({ user: 'alice' }), answer(`${TOKEN}\0`));
    expect((await direct.message()).type).toBe('R');
    expect((await direct.message()).body).toEqual(Buffer.alloc(4));
    direct.socket.destroy();
    expect(proxy.frontend.served.map(({ address }) => address)).toEqual([CLIENT, CLIENT, CLIENT]);
  });

  it('reads no header inside TLS', async () => {
    const client = await RawClient.connect(proxy.port);
    client.send(ipv4Header(CLIENT), SSL_REQUEST);
    await client.bytes(1);
    await client.secure();
    client.send(ipv4Header('203.0.113.1'), startUp({ user: 'alice' }));
    expect((await client.untilEnd()).indexOf('FATAL')).toBe(-1);
  });
});
