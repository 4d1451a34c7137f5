import { once } from 'node:events';
import { connect } from 'node:net';
import { type AuthHandlerMiddleware, Client, type ConnectConfig } from 'ssh2';
import { CONNECTION, CREDENTIAL_ID, TOKEN, alice } from '../../../test/support/postgres-proxy';
import { ipv4Header } from '../../../test/support/proxy-header';
import { freshSshKey } from '../../platform/keys/fresh-ssh-key';
import { type TestSshProxy, signedIn, startSshProxy } from '../../../test/support/ssh/ssh-proxy';

const REFUSED = 'All configured authentication methods failed';
const STRANGER = CREDENTIAL_ID.replace('0b', '0c');

// promises: SSHCLIENT-1
describe('signing in over SSH', () => {
  let proxy: TestSshProxy;
  const clients: Client[] = [];
  const attempt = async (options: ConnectConfig = {}): Promise<string> => {
    const client = await signedIn(proxy.port, options);
    if (typeof client === 'string') return client;
    clients.push(client);
    return 'in';
  };

  beforeEach(async () => {
    proxy = await startSshProxy();
  });

  afterEach(async () => {
    const closed = clients.map((client) => once(client, 'close'));
    for (const client of clients.splice(0)) client.end();
    await Promise.all(closed);
    await proxy.close();
  });

  it('takes an issued credential, by its id alone, or after the name or id of its connection', async () => {
    const spelled = [
      CREDENTIAL_ID,
      CREDENTIAL_ID.toUpperCase(),
      `${CONNECTION.name}+${CREDENTIAL_ID}`,
      `${CONNECTION.id}+${CREDENTIAL_ID}`,
    ];
    for (const username of spelled) expect(await attempt({ username })).toBe('in');
    for (const served of proxy.frontend.served)
      expect(served).toMatchObject({
        principal: alice,
        target: CONNECTION.id,
        credential: { id: CREDENTIAL_ID },
        until: new Date('2030-01-01'),
        address: '127.0.0.1',
      });
    expect(proxy.frontend.served).toHaveLength(spelled.length);
  });

  it('takes a token as the password of a connection', async () => {
    expect(await attempt({ username: 'prod-web', password: TOKEN })).toBe('in');
    expect(proxy.frontend.served[0]).toMatchObject({
      principal: alice,
      target: 'prod-web',
      credential: null,
    });
  });

  it('takes the password as the answer to a question', async () => {
    const answered: string[] = [];
    const client = new Client();
    client.on('keyboard-interactive', (_name, _instructions, _language, prompts, finish) => {
      answered.push(...prompts.map(({ prompt, echo }) => `${prompt}${String(echo)}`));
      finish([TOKEN]);
    });
    client.on('error', () => undefined);
    const ready = once(client, 'ready');
    client.connect({ host: '127.0.0.1', port: proxy.port, username: 'web', tryKeyboard: true });
    await ready;
    clients.push(client);
    expect(answered).toEqual(['Password: false']);
  });

  it('refuses a wrong password, an unknown credential and one of another connection alike, and logs neither', async () => {
    expect(await attempt({ password: 'canary-password' })).toBe(REFUSED);
    expect(await attempt({ username: STRANGER, password: 'canary-password' })).toBe(REFUSED);
    expect(await attempt({ username: `payroll+${CREDENTIAL_ID}` })).toBe(REFUSED);
    expect(await attempt({ username: 'prod-web', password: 'canary password' })).toBe(REFUSED);
    expect(proxy.authenticator.failures).toBe(4);
    expect(proxy.frontend.served).toHaveLength(0);
    const log = JSON.stringify(proxy.logged);
    expect(log).toContain('{"address":"127.0.0.1","reason":"bad_credential"}');
    expect(log).not.toMatch(/canary|0c9f6a3e|payroll/);
  });

  it('refuses no password, a key and a host, whatever the name', async () => {
    const { key: privateKey } = freshSshKey();
    const offered: unknown[] = [];
    const handlerOf =
      (username: string): AuthHandlerMiddleware =>
      (left, _, next) => {
        offered.push(left);
        if (left === null) next('none');
        else if (offered.length === 2) next({ type: 'publickey', username, key: privateKey });
        else next(false as never);
      };
    for (const username of ['web', CREDENTIAL_ID, '../../etc/passwd', '', 'x'.repeat(20_000)]) {
      offered.length = 0;
      expect(await attempt({ username, authHandler: handlerOf(username) as never })).toBe(REFUSED);
      expect(offered).toEqual([
        null,
        ['publickey', 'password', 'keyboard-interactive'],
        ['publickey', 'password', 'keyboard-interactive'],
      ]);
    }
  });

  it('disconnects a guesser, before anybody is looked up', async () => {
    proxy.authenticator.mayFail = 0;
    expect(await attempt()).not.toBe('in');
    expect(proxy.issued.asked).toHaveLength(0);
    expect(JSON.stringify(proxy.logged)).toContain('"reason":"guesser"');
  });

  it('disconnects after six wrong passwords in one connection', async () => {
    let sent = 0;
    const authHandler: AuthHandlerMiddleware = (_left, _partial, next) => {
      sent += 1;
      next({ type: 'password', username: CREDENTIAL_ID, password: `wrong ${sent}` });
    };
    expect(await attempt({ authHandler: authHandler as never })).not.toBe('in');
    expect(proxy.authenticator.failures).toBe(6);
  });

  it('disconnects a client that signs in for too long, and the oldest of a crowd', async () => {
    await proxy.close();
    proxy = await startSshProxy({ SSH_PROXY_HANDSHAKE_SECONDS: '1', SSH_PROXY_CLIENTS: '2' });
    const sockets = await Promise.all(
      [1, 2, 3].map(async () => {
        const socket = connect(proxy.port, '127.0.0.1').resume();
        await once(socket, 'connect');
        return socket;
      }),
    );
    await Promise.all(sockets.map(async (socket) => socket.closed || once(socket, 'close')));
    expect(JSON.stringify(proxy.logged)).toMatch(/"reason":"crowded".*"reason":"late".*"reason":"late"/);
  });

  it('offers no weak algorithm, and the strict key exchange', async () => {
    const client = new Client();
    client.on('error', () => undefined);
    const debug: string[] = [];
    const closed = new Promise<void>((resolve) => client.on('close', () => resolve()));
    client.connect({
      host: '127.0.0.1',
      port: proxy.port,
      username: 'web',
      password: 'x',
      debug: (line) => debug.push(line),
    });
    await closed;
    const offered = debug.filter((line) => line.includes('(remote)')).join('\n');
    expect(offered).toContain('kex-strict-s-v00@openssh.com');
    expect(offered).toContain('curve25519-sha256');
    expect(offered).not.toMatch(/sha1|group1-|group14-sha1|cbc|md5|arcfour|ssh-rsa|ssh-dss|zlib|umac-64|-96/);
    expect(debug.join('\n')).toMatch(/strict KEX mode/i);
  });

  it('knows the address of a client behind a load balancer', async () => {
    await proxy.close();
    proxy = await startSshProxy({ PROXY_PROTOCOL_FROM: '127.0.0.1' });
    const sock = connect(proxy.port, '127.0.0.1');
    sock.write(ipv4Header('203.0.113.7'));
    expect(await attempt({ sock })).toBe('in');
    expect(proxy.frontend.served[0]?.address).toBe('203.0.113.7');
    expect(await attempt()).not.toBe('in');
    expect(JSON.stringify(proxy.logged)).toContain('"reason":"proxy_header"');
  });

  it('survives what is not SSH', async () => {
    for (const bytes of [
      'GET / HTTP/1.1\r\n\r\n',
      'SSH-1.5-old\r\n',
      `SSH-2.0-x\r\n${'\xff'.repeat(40_000)}`,
      '\0'.repeat(99),
    ]) {
      const socket = connect(proxy.port, '127.0.0.1').resume();
      socket.on('error', () => undefined);
      socket.end(bytes, 'latin1');
      await once(socket, 'close');
    }
    expect(await attempt()).toBe('in');
  });
});
