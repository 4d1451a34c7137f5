import { describeDataPath } from '../support/describe';
import { runningOn } from '../support/data-path';
import { SLOWEST } from '../support/eventually';
import { freePort } from '../support/gateway';
import { secretOf } from '../support/target';
import { type TcpProxy, startTcpProxy } from '../support/tcp-proxy';

/**
 * Tests the errors when the target cannot be reached, or dies: a cause in plain words, and a closed session.
 */
describeDataPath('a target that fails', ({ path }) => {
  const proxies: TcpProxy[] = [];

  afterAll(async () => {
    await Promise.all(proxies.map((proxy) => proxy.close()));
  });

  /** Creates a connection through a TCP proxy to the target, so that a test can cut the network. */
  const overWire = async (name: string, options: Parameters<typeof startTcpProxy>[2] = {}) => {
    const secret = secretOf(path.target);
    const proxy = await startTcpProxy('127.0.0.1', Number(secret['PORT']), options);
    proxies.push(proxy);
    await path.connect(name, { secret: { ...secret, HOST: '127.0.0.1', PORT: String(proxy.port) } });
    return proxy;
  };

  // promises: RUN-3, LIFE-7
  it.each<[string, (secret: Record<string, string>, port: number) => object, RegExp]>([
    ['a wrong password', () => ({ PASS: 'canary-pass' }), /refused the user or the password/],
    ['an unknown user', () => ({ USER: 'canary-user' }), /refused the user/],
    ['no such database', () => ({ DB: 'canary-db' }), /The database of this connection does not exist/],
    [
      'an unknown host',
      () => ({ HOST: 'canary-host.invalid' }),
      /host name (is unknown|could not be looked up)/,
    ],
    ['a closed port', (_, port) => ({ PORT: String(port) }), /the connection was refused/],
    ['no TLS where it is required', () => ({ SSLMODE: 'require' }), /does not support TLS/],
    ['no TLS where it is to be verified', () => ({ SSLMODE: 'verify-full' }), /does not support TLS/],
  ])('says plainly: %s', async (what, change, cause) => {
    const secret = secretOf(path.target);
    const port = await freePort();
    const name = what.replaceAll(' ', '-');
    await path.connect(name, { secret: { ...secret, ...change(secret, port) } });
    const answer = await path.run('SELECT 1', { connection: name });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ output_status: 'failed', exit_code: 2 });
    expect(answer.body.output).toMatch(cause);
    const session = await path.read(answer.body.session_id, '?event_stream=utf8');
    expect(session.body).toMatchObject({
      status: 'done',
      exit_code: 2,
      end_date: expect.any(String),
      event_stream: [answer.body.output],
    });
    for (const text of [answer.text, session.text]) {
      expect(text).not.toMatch(/canary|at \w+ \(|node_modules|DatabaseError|pg_/);
      expect(text).not.toContain(secret['USER']);
      expect(text).not.toContain(secret['DB']);
    }
  });

  it('reports that the target closed the connection of a running script', async () => {
    const answer = path.run('SELECT 1 AS a; SELECT pg_terminate_backend(pg_backend_pid()) AS b; SELECT 2');
    expect((await answer).body).toMatchObject({
      output: expect.stringMatching(
        /^a\n1\nb\nt\nFATAL: terminating connection .* \(SQLSTATE 57P01\)\nThe connection to the database was lost/,
      ),
      output_status: 'failed',
      exit_code: 2,
    });
    expect((await path.read((await answer).body.session_id)).body).toMatchObject({
      status: 'done',
      exit_code: 2,
    });
  });

  it('reports a lost connection of a running script', async () => {
    const wire = await overWire('on-a-wire');
    const answer = path.run('SELECT pg_sleep(30) AS cut', { connection: 'on-a-wire' });
    await path.untilRunning(/AS cut/);
    wire.cut();
    expect((await answer).body).toMatchObject({
      output: 'The connection to the database was lost while the script ran.\n',
      output_status: 'failed',
      exit_code: 2,
    });
    expect((await path.read((await answer).body.session_id)).body).toMatchObject({
      status: 'done',
      exit_code: 2,
    });
  });

  it('reports a lost connection in the middle of a result', async () => {
    const wire = await overWire('cut-in-the-middle', {
      fromTarget: (bytes) => {
        received += bytes.length;
        if (received > 500_000) wire.cut();
        return bytes;
      },
    });
    let received = 0;
    const answer = await path.run("SELECT repeat('x', 1000) FROM generate_series(1, 1000)", {
      connection: 'cut-in-the-middle',
    });
    expect(answer.body).toMatchObject({ output_status: 'failed', exit_code: 2 });
    expect(answer.body.output).toMatch(
      /x\nThe connection to the database was lost while the script ran\.\n$/,
    );
  });

  it('distinguishes a failed statement from a lost session in any server language', async () => {
    // Imitates a French server, which translates the severity, so the message does not show that it is ERROR.
    await overWire('in-french', {
      fromTarget: (bytes) =>
        Buffer.from(bytes.toString('latin1').replaceAll('SERROR\0', 'SERREU\0'), 'latin1'),
    });
    const answer = await path.run('SELECT 1/0', { connection: 'in-french' });
    expect(answer.body).toMatchObject({
      output: 'ERREU: division by zero (SQLSTATE 22012)\n',
      output_status: 'failed',
      exit_code: 1,
    });
  });

  // promises: USER-6, AUTH-6
  it('cuts the script of a user who was set inactive, on the target too', async () => {
    await path.run('SELECT 1', {}, 'bob');
    const answer = path.run('SELECT pg_sleep(30) AS inactive', {}, 'bob');
    await path.untilRunning(/AS inactive/);
    const setAt = performance.now();
    await path.setStatus('bob', 'inactive');
    expect((await answer).body).toMatchObject({
      // The target's message about the cancelled query comes first, unless it takes too long.
      output: expect.stringMatching(/The session was ended: this user is inactive\.\n$/),
      output_status: 'failed',
      exit_code: 254,
    });
    expect(performance.now() - setAt).toBeLessThan(5_000 * SLOWEST);
    expect((await runningOn(path.target)).join()).not.toContain('inactive');
    expect((await path.read((await answer).body.session_id)).body).toMatchObject({
      status: 'done',
      exit_code: 254,
    });
    expect((await path.run('SELECT 1', {}, 'bob')).status).toBe(401);
  });

  // promises: USER-6
  it('ends it within the same time when the target does not answer', async () => {
    const wire = await overWire('silent');
    await path.run('SELECT 1', {}, 'alice');
    const answer = path.run('SELECT pg_sleep(30) AS silent', { connection: 'silent' }, 'alice');
    await path.untilRunning(/AS silent/);
    wire.goSilent();
    const setAt = performance.now();
    await path.setStatus('alice', 'inactive');
    expect((await answer).body).toMatchObject({ output_status: 'failed', exit_code: 254 });
    expect(performance.now() - setAt).toBeLessThan(5_000 * SLOWEST);
    await path.setStatus('alice', 'active');
  });
});
