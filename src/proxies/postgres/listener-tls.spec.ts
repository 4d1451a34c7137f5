import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { byPg, byPsql } from '../../../test/support/postgres-clients';
import { CREDENTIAL_ID, TOKEN, type TestProxy, startProxy } from '../../../test/support/postgres-proxy';
import { RawClient, SSL_REQUEST, answer, startUp } from '../../../test/support/raw-client';
import { type TestCertificate, describeWith, makeCertificate } from '../../../test/support/tls';

const STRANGER = CREDENTIAL_ID.replace('0b', '0c');

describeWith('openssl')('PostgresListener with TLS', () => {
  let certificate: TestCertificate;
  let proxy: TestProxy;

  beforeAll(async () => {
    certificate = makeCertificate();
    proxy = await startProxy(certificate);
  });

  afterAll(() => proxy.close());

  it('takes TLS by SSLRequest, with a binding to the channel and without', async () => {
    const ssl = { ca: certificate.cert };
    expect(await byPg(proxy.port, { host: 'localhost', ssl })).toBe('select 1');
    expect(await byPg(proxy.port, { host: 'localhost', ssl, enableChannelBinding: true })).toBe('select 1');
    expect(await byPg(proxy.port, { ssl, user: 'alice', password: TOKEN })).toBe('select 1');
    expect(await byPg(proxy.port)).toBe('select 1');
  });

  it('binds by the hash of the certificate, whatever signs it', async () => {
    for (const kind of ['rsa-pss-sha384', 'rsa-sha512', 'ed25519'] as const) {
      const other = makeCertificate(kind);
      const second = await startProxy(other);
      const ssl = { ca: other.cert };
      expect(await byPg(second.port, { host: 'localhost', ssl, enableChannelBinding: true })).toBe(
        'select 1',
      );
      await second.close();
    }
  });

  it('takes direct TLS of who names the protocol', async () => {
    const client = new RawClient(
      connectTls({
        port: proxy.port,
        host: '127.0.0.1',
        ca: certificate.cert,
        ALPNProtocols: ['postgresql'],
      }),
    );
    client.send(startUp({ user: 'alice' }), answer(`${TOKEN}\0`));
    expect((await client.message()).type).toBe('R');
    expect((await client.message()).body).toEqual(Buffer.alloc(4));
    client.socket.destroy();
  });

  it.each([[undefined], [['http/1.1']], [['h2', 'http/1.1']]])(
    'hangs up on direct TLS with ALPN %j',
    async (alpn) => {
      const client = new RawClient(
        connectTls({
          port: proxy.port,
          host: '127.0.0.1',
          rejectUnauthorized: false,
          ...(alpn === undefined ? {} : { ALPNProtocols: alpn }),
        }),
      );
      client.send(startUp({ user: 'alice' }));
      expect(await client.untilEnd()).toHaveLength(0);
    },
  );

  it('hangs up on clear text where TLS was announced', async () => {
    const together = await RawClient.connect(proxy.port);
    together.send(SSL_REQUEST, startUp({ user: 'alice' }));
    expect(await together.untilEnd()).toHaveLength(0);
    const after = await RawClient.connect(proxy.port);
    expect((await after.send(SSL_REQUEST).bytes(1)).toString()).toBe('S');
    after.send(startUp({ user: 'alice' }));
    // The gateway sends at most a TLS alert, and no message of the PostgreSQL protocol.
    expect((await after.untilEnd()).indexOf('FATAL')).toBe(-1);
  });

  it('refuses old TLS, and a second request under TLS', async () => {
    const old = await RawClient.connect(proxy.port);
    await old.send(SSL_REQUEST).bytes(1);
    // At security level 0, the client itself accepts old versions of TLS.
    const weak = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    await expect(old.secure(weak)).rejects.toThrow('alert protocol version');
    const client = await RawClient.connect(proxy.port);
    await client.send(SSL_REQUEST).bytes(1);
    await client.secure();
    expect(await client.send(SSL_REQUEST).refusal()).toMatchObject({ C: '08P01' });
  });

  it('refuses a client that was shown no binding although one is offered', async () => {
    const client = await RawClient.connect(proxy.port);
    await client.send(SSL_REQUEST).bytes(1);
    await client.secure();
    client.send(startUp({ user: CREDENTIAL_ID }));
    expect((await client.message()).body.toString('latin1', 4)).toBe('SCRAM-SHA-256-PLUS\0SCRAM-SHA-256\0\0');
    client.send(answer('SCRAM-SHA-256\0\0\0\0\x0cy,,n=,r=abcd'));
    expect(await client.refusal()).toMatchObject({
      C: '28000',
      M: expect.stringContaining('Somebody may have changed the connection'),
    });
  });

  it('says last words under TLS, and ends it properly', async () => {
    const client = await RawClient.connect(proxy.port);
    await client.send(SSL_REQUEST).bytes(1);
    await client.secure();
    expect(await client.send(startUp({ user: 'a', replication: 'true' })).refusal()).toMatchObject({
      C: '0A000',
    });
  });

  it('forgets a TLS handshake that is never finished', async () => {
    const second = await startProxy(certificate, { POSTGRES_PROXY_HANDSHAKE_SECONDS: '2' });
    const client = await RawClient.connect(second.port);
    await client.send(SSL_REQUEST).bytes(1);
    client.send(Buffer.from('\x16\x03\x01\x40\0\x01', 'latin1'));
    expect((await client.untilEnd()).indexOf('FATAL')).toBe(-1);
    await second.close();
  });
});

describeWith('openssl', 'psql')('psql', () => {
  let certificate: TestCertificate;
  let proxy: TestProxy;
  let folder: string;
  let ca: string;
  const as = (parameters: string, password?: string): Promise<string> =>
    byPsql(proxy.port, `user=${CREDENTIAL_ID} ${parameters}`, password);

  beforeAll(async () => {
    certificate = makeCertificate();
    proxy = await startProxy(certificate);
    folder = await mkdtemp(join(tmpdir(), 'gateway-psql-'));
    ca = join(folder, 'ca.pem');
    await writeFile(ca, certificate.cert);
    expect(new X509Certificate(certificate.cert).checkHost('localhost')).toBe('localhost');
  });

  afterAll(async () => {
    await proxy.close();
    await rm(folder, { recursive: true });
  });

  it.each(['disable', 'allow', 'prefer', 'require'])('signs in with sslmode=%s', async (mode) => {
    expect(await as(`sslmode=${mode}`)).toBe('select 1');
  });

  it.each(['verify-ca', 'verify-full'])('signs in with sslmode=%s', async (mode) => {
    expect(await as(`sslmode=${mode} sslrootcert=${ca}`)).toBe('select 1');
  });

  it('binds to the channel', async () => {
    expect(await as('sslmode=require channel_binding=require')).toBe('select 1');
    expect(await as('sslmode=require channel_binding=disable')).toBe('select 1');
    expect(await as('sslmode=disable channel_binding=require')).toContain('channel binding required');
  });

  it('brings a token as password', async () => {
    expect(await byPsql(proxy.port, 'user=alice sslmode=require', TOKEN)).toBe('select 1');
  });

  it('shows why it was refused', async () => {
    const wrong = await as('sslmode=require', 'wrong');
    expect(wrong).toContain('FATAL:  The user name or the password is wrong or has expired.');
    expect(await byPsql(proxy.port, `user=${STRANGER} sslmode=require`)).toBe(wrong);
    expect(await as('sslmode=disable client_encoding=LATIN1')).toMatch(
      /FATAL: {2}The client encoding LATIN1 is not supported\. Use UTF8\.\nHINT: {2}Set PGCLIENTENCODING=UTF8/,
    );
    expect(await as('sslmode=disable replication=database')).toContain('Replication connections');
  });
});
