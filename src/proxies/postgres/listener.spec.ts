import { once } from 'node:events';
import { connect as connectNet } from 'node:net';
import { eventually } from '../../../test/support/eventually';
import { byPg } from '../../../test/support/postgres-clients';
import {
  CONNECTION,
  CREDENTIAL_ID,
  TOKEN,
  type TestProxy,
  alice,
  startProxy,
} from '../../../test/support/postgres-proxy';
import { RawClient, SSL_REQUEST, answer, startUp } from '../../../test/support/raw-client';
import { stillClock } from '../../../test/support/still-clock';

const STRANGER = CREDENTIAL_ID.replace('0b', '0c');

describe('PostgresListener', () => {
  let proxy: TestProxy;
  afterEach(() => proxy.close());

  it('signs in with an issued credential, by the database, the name or the id of its connection, both, or none', async () => {
    proxy = await startProxy();
    const { id, name, database: own } = CONNECTION;
    const spelled = [own, name, id, `${own}@${name}`, `${own}@${id}`, CREDENTIAL_ID];
    for (const database of spelled) expect(await byPg(proxy.port, { database })).toBe('select 1');
    expect(proxy.frontend.served).toHaveLength(spelled.length);
    for (const served of proxy.frontend.served) {
      expect(served).toMatchObject({
        principal: alice,
        database: CONNECTION.id,
        credential: { id: CREDENTIAL_ID, expiresAt: new Date('2030-01-01') },
      });
      expect(served.settings).toEqual([]);
    }
  });

  it('lets a credential open no other connection', async () => {
    proxy = await startProxy();
    const wrong = [
      'payroll',
      'postgres',
      'Shop',
      'shop ',
      'shop@',
      '@orders',
      'orders@shop',
      'payroll@orders',
    ];
    for (const database of wrong)
      expect(await byPg(proxy.port, { database })).toBe(
        `3D000: These credentials open the database "shop" of the connection orders only, not "${database}".`,
      );
    expect(proxy.frontend.served).toHaveLength(0);
  });

  it('refuses a wrong password and an unknown name alike, and logs neither', async () => {
    proxy = await startProxy();
    const wrong = await byPg(proxy.port, { password: 'canary-password' });
    expect(wrong).toBe('28P01: The user name or the password is wrong or has expired.');
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
    proxy = await startProxy(undefined, { POSTGRES_PROXY_HANDSHAKE_SECONDS: '2' });
    const silent = await RawClient.connect(proxy.port);
    const slow = (await RawClient.connect(proxy.port)).send(startUp({ user: 'alice' }));
    expect((await slow.message()).type).toBe('R');
    expect(await slow.refusal()).toMatchObject({ S: 'FATAL', C: '57014' });
    expect(await silent.untilEnd()).toHaveLength(0);
    expect(JSON.stringify(proxy.logged)).toContain('"reason":"late"');
  });

  it('serves nobody whose token was found good too late', async () => {
    proxy = await startProxy(undefined, { POSTGRES_PROXY_HANDSHAKE_SECONDS: '2' });
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
    const { server } = proxy.listener['listener'] as unknown as { server: NodeJS.EventEmitter };
    const clock = stillClock();
    for (let times = 0; times < 100; times += 1) server.emit('error', new Error('accept EMFILE'));
    clock.resume();
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
    const { server } = proxy.listener['listener'] as unknown as { server: { listening: boolean } };
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
    const stopped = proxy.listener.beforeApplicationShutdown().finally(() => {
      isStopped = true;
    });
    await expect(RawClient.connect(proxy.port)).rejects.toThrow('ECONNREFUSED');
    expect(isStopped).toBe(false);
    over();
    await stopped;
  });
});

describe('a token as password without TLS', () => {
  it('is taken from this machine only', async () => {
    const proxy = await startProxy();
    const { server } = proxy.listener['listener'] as unknown as { server: NodeJS.EventEmitter };
    server.prependListener('connection', (socket: object) =>
      Object.defineProperty(socket, 'remoteAddress', { value: '192.0.2.7' }),
    );
    expect(await byPg(proxy.port, { user: 'alice', password: TOKEN })).toBe(
      '28000: A token as password is accepted over TLS only.',
    );
    expect(await byPg(proxy.port)).toBe('select 1');
    expect(proxy.authenticator.asked).toEqual([]);
    await proxy.close();
  });
});
