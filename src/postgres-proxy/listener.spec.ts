import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect as connectNet } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { Client, type ClientConfig } from 'pg';
import { eventually } from '../../test/support/eventually';
import {
  CONNECTION,
  CREDENTIAL_ID,
  PASSWORD,
  TOKEN,
  type TestProxy,
  alice,
  startProxy,
} from '../../test/support/postgres-proxy';
import { RawClient, SSL_REQUEST, answer, startUp } from '../../test/support/raw-client';
import { type TestCertificate, describeWith, makeCertificate } from '../../test/support/tls';

const STRANGER = CREDENTIAL_ID.replace('0b', '0c');

/** A query by node-postgres; the error's SQLSTATE and sentence where there is one. */
async function byPg(port: number, more: ClientConfig = {}): Promise<string> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: CREDENTIAL_ID,
    password: PASSWORD,
    database: CONNECTION.name,
    ...more,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ sql: string }>('select 1');
    return rows[0]?.sql ?? '';
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return `${code}: ${message}`;
  } finally {
    await client.end();
  }
}

/** The same by psql: what it prints on either side. */
function byPsql(port: number, parameters: string, password = PASSWORD): Promise<string> {
  const env = { PATH: process.env['PATH'], PGPASSWORD: password, PGCONNECT_TIMEOUT: '10', HOME: tmpdir() };
  const target = `hostaddr=127.0.0.1 host=localhost port=${port} dbname=${CONNECTION.name} ${parameters}`;
  return new Promise((resolve) => {
    execFile('psql', ['-XAtw', '-d', target, '-c', 'select 1'], { env }, (_, stdout, stderr) =>
      resolve((stdout + stderr).trim()),
    );
  });
}

describe('PostgresListener', () => {
  let proxy: TestProxy;
  afterEach(() => proxy.close());

  it('signs in with an issued credential, by the name or the id of its connection, or by none', async () => {
    proxy = await startProxy();
    for (const database of [CONNECTION.name, CONNECTION.id, CREDENTIAL_ID])
      expect(await byPg(proxy.port, { database })).toBe('select 1');
    expect(proxy.frontend.served).toHaveLength(3);
    for (const served of proxy.frontend.served) {
      expect(served).toMatchObject({
        principal: alice,
        database: CONNECTION.id,
        credential: { id: CREDENTIAL_ID, expiresAt: new Date('2030-01-01') },
      });
      expect(Object.fromEntries(served.parameters)).toEqual({ client_encoding: 'UTF8' });
    }
  });

  it('lets a credential open no other connection', async () => {
    proxy = await startProxy();
    expect(await byPg(proxy.port, { database: 'payroll' })).toBe(
      '3D000: These credentials are for another connection.',
    );
    expect(proxy.frontend.served).toHaveLength(0);
  });

  it('refuses a wrong password and an unknown name alike, and logs neither', async () => {
    proxy = await startProxy();
    const wrong = await byPg(proxy.port, { password: 'canary-password' });
    expect(wrong).toBe('28P01: The user name or the password is wrong, or no longer good.');
    expect(await byPg(proxy.port, { user: STRANGER, password: 'canary-password' })).toBe(wrong);
    expect(proxy.authenticator.failures).toBe(2);
    const log = JSON.stringify(proxy.logged);
    expect(log).toContain('{"address":"127.0.0.1","reason":"bad_credential","code":"28P01"}');
    expect(log).not.toMatch(/canary|0c9f6a3e/);
  });

  it('without a certificate takes a token from this machine, and no TLS', async () => {
    proxy = await startProxy();
    expect(await byPg(proxy.port, { user: 'alice', password: TOKEN })).toBe('select 1');
    expect(await byPg(proxy.port, { ssl: true })).toContain('does not support SSL');
  });

  it('costs a silent client one socket and its time, and says so to one that speaks the protocol', async () => {
    proxy = await startProxy(undefined, { POSTGRES_PROXY_HANDSHAKE_SECONDS: '1' });
    const silent = await RawClient.connect(proxy.port);
    const slow = (await RawClient.connect(proxy.port)).send(startUp({ user: 'alice' }));
    expect((await slow.message()).type).toBe('R');
    expect(await slow.refusal()).toMatchObject({ S: 'FATAL', C: '57014' });
    expect(await silent.untilEnd()).toHaveLength(0);
    expect(JSON.stringify(proxy.logged)).toContain('"reason":"late"');
  });

  it('serves nobody whose token was found good too late', async () => {
    proxy = await startProxy(undefined, { POSTGRES_PROXY_HANDSHAKE_SECONDS: '1' });
    let answered = (): void => undefined;
    proxy.authenticator.before = new Promise((resolve) => {
      answered = resolve;
    });
    const client = (await RawClient.connect(proxy.port)).send(
      startUp({ user: 'alice' }),
      answer(`${TOKEN}\0`),
    );
    await client.message();
    expect(await client.refusal()).toMatchObject({ C: '57014' });
    answered();
    await once(client.socket, 'close').catch(() => undefined);
    await new Promise((turn) => setImmediate(turn));
    expect(proxy.frontend.served).toHaveLength(0);
  });

  it('lets the longest wait give way where all places to sign in are taken', async () => {
    proxy = await startProxy(undefined, { POSTGRES_PROXY_CLIENTS: '3' });
    const silent = [1, 2, 3].map(() => connectNet(proxy.port, '127.0.0.1').on('error', () => undefined));
    await Promise.all(silent.map((socket) => once(socket.resume(), 'connect')));
    expect(await byPg(proxy.port)).toBe('select 1');
    await eventually('the first to be closed', async () => silent[0]?.closed);
    expect(silent[2]?.closed).toBe(false);
    for (const socket of silent) socket.destroy();
  });

  it('outlives a client that resets the connection at any point', async () => {
    proxy = await startProxy();
    for (const bytes of [
      Buffer.alloc(0),
      SSL_REQUEST,
      startUp({ user: CREDENTIAL_ID }),
      Buffer.from('\0\0'),
    ]) {
      const client = await RawClient.connect(proxy.port);
      client.socket.write(bytes, () => client.socket.resetAndDestroy());
      await once(client.socket, 'close');
    }
    expect(await byPg(proxy.port)).toBe('select 1');
  });

  it('logs a lack of descriptors, once, and goes on', async () => {
    proxy = await startProxy();
    const { server } = proxy.listener as unknown as { server: NodeJS.EventEmitter };
    for (let times = 0; times < 100; times += 1) server.emit('error', new Error('accept EMFILE'));
    expect(proxy.logged.filter((line) => JSON.stringify(line).includes('cannot be accepted'))).toHaveLength(
      1,
    );
    expect(await byPg(proxy.port)).toBe('select 1');
  });

  it('says in plain words that its port is taken', async () => {
    proxy = await startProxy();
    const second = startProxy(undefined, { POSTGRES_PROXY_PORT: String(proxy.port) });
    await expect(second).rejects.toThrow(
      `Something else listens on 127.0.0.1:${proxy.port} already. Stop it, or set POSTGRES_PROXY_PORT to a free port.`,
    );
  });

  it('does not listen on port 0', async () => {
    proxy = await startProxy(undefined, { POSTGRES_PROXY_PORT: '0' });
    const { server } = proxy.listener as unknown as { server: { listening: boolean } };
    expect(server.listening).toBe(false);
  });

  it('when it stops takes no more, sends away who signs in, and waits for who is served', async () => {
    proxy = await startProxy();
    const signingIn = (await RawClient.connect(proxy.port)).send(startUp({ user: 'alice' }));
    await signingIn.message();
    let isAsked = false;
    const over = proxy.sessions.register({
      finish: () => {
        isAsked = true;
      },
      abort: () => undefined,
    });
    proxy.listener.onModuleDestroy();
    expect(isAsked).toBe(true);
    expect(await signingIn.refusal()).toMatchObject({ S: 'FATAL', C: '57P01' });
    let isStopped = false;
    const stopped = proxy.listener.beforeApplicationShutdown().then(() => {
      isStopped = true;
    });
    await expect(RawClient.connect(proxy.port)).rejects.toThrow('ECONNREFUSED');
    expect(isStopped).toBe(false);
    over();
    await stopped;
  });
});

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
    // At most an alert of TLS: nothing is said in the protocol.
    expect((await after.untilEnd()).indexOf('FATAL')).toBe(-1);
  });

  it('refuses old TLS, and a second request under TLS', async () => {
    const old = await RawClient.connect(proxy.port);
    await old.send(SSL_REQUEST).bytes(1);
    await expect(old.secure({ maxVersion: 'TLSv1.1', minVersion: 'TLSv1' })).rejects.toThrow();
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
    expect(await client.refusal()).toMatchObject({ C: '28000', M: expect.stringContaining('in between') });
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
    const second = await startProxy(certificate, { POSTGRES_PROXY_HANDSHAKE_SECONDS: '1' });
    const client = await RawClient.connect(second.port);
    await client.send(SSL_REQUEST).bytes(1);
    client.send(Buffer.from('\x16\x03\x01\x40\0\x01', 'latin1'));
    expect((await client.untilEnd()).indexOf('FATAL')).toBe(-1);
    await second.close();
  });
});

describe('a token as password without TLS', () => {
  it('is taken from this machine only', async () => {
    const proxy = await startProxy();
    const { server } = proxy.listener as unknown as { server: NodeJS.EventEmitter };
    server.prependListener('connection', (socket: object) =>
      Object.defineProperty(socket, 'remoteAddress', { value: '192.0.2.7' }),
    );
    expect(await byPg(proxy.port, { user: 'alice', password: TOKEN })).toBe(
      '28000: A token as password is taken over TLS only.',
    );
    expect(await byPg(proxy.port)).toBe('select 1');
    expect(proxy.authenticator.asked).toEqual([]);
    await proxy.close();
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
    expect(wrong).toContain('FATAL:  The user name or the password is wrong, or no longer good.');
    expect(await byPsql(proxy.port, `user=${STRANGER} sslmode=require`)).toBe(wrong);
    expect(await as('sslmode=disable client_encoding=LATIN1')).toMatch(
      /FATAL: {2}The client encoding LATIN1 is not spoken here: UTF8 is\.\nHINT: {2}Set PGCLIENTENCODING=UTF8/,
    );
    expect(await as('sslmode=disable replication=database')).toContain('Replication connections');
  });
});
