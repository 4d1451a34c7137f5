import { TLSSocket } from 'node:tls';
import { cancelUpstream, dialUpstream, type Upstream } from '../../src/proxies/postgres/upstream';
import type { UpstreamRefused } from '../../src/proxies/postgres/upstream-refused';
import { startTcpProxy } from '../support/tcp-proxy';
import { ROLE_PASSWORD, type TlsTarget, startTlsTarget, whyNoTlsTarget } from '../support/tls-target';
import { ask } from '../support/upstream';

const METHODS = ['by_scram', 'by_md5', 'by_password', 'by_trust'];
const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'];
/**
 * Values of sslmode with which no TLS is used here. As in libpq, `allow` uses TLS only if the server requires
 * it.
 */
const IN_PLAIN_TEXT = ['disable', 'allow'];

const why = whyNoTlsTarget();
const describeHere = why === undefined ? describe : describe.skip;

/** Each way of signing in, under each sslmode, at a server that speaks TLS. */
describeHere(`an upstream under TLS${why === undefined ? '' : ` (skipped: ${why})`}`, () => {
  let target: TlsTarget;
  const open: Upstream[] = [];

  beforeAll(async () => {
    target = await startTlsTarget();
  });

  afterEach(() => {
    for (const { socket } of open.splice(0)) socket.destroy();
  });

  afterAll(() => target?.stop());

  const secretFor = (user: string, sslmode: string, more: object = {}): Record<string, string> => ({
    HOST: 'localhost',
    PORT: String(target.port),
    USER: user,
    PASS: ROLE_PASSWORD,
    DB: 'postgres',
    SSLMODE: sslmode,
    ...(sslmode.startsWith('verify') ? { SSLROOTCERT: target.certificate } : {}),
    ...more,
  });
  const dial = async (user: string, sslmode: string, more: object = {}): Promise<Upstream> => {
    const secret = secretFor(user, sslmode, more);
    const upstream = await dialUpstream(
      secret,
      { parameters: [], protocolMinor: 0 },
      new AbortController().signal,
    );
    open.push(upstream);
    return upstream;
  };
  const refusal = (user: string, sslmode: string, more: object = {}): Promise<UpstreamRefused['fields']> =>
    dial(user, sslmode, more).then(
      () => Promise.reject(new Error('was not refused')),
      (error: UpstreamRefused) => error.fields,
    );

  describe.each(METHODS)('%s', (user) => {
    it.each(MODES)('signs in under sslmode %s', async (mode) => {
      const upstream = await dial(user, mode);
      const isPlain = IN_PLAIN_TEXT.includes(mode);
      expect(upstream.socket instanceof TLSSocket).toBe(!isPlain);
      const answer = await ask(
        upstream,
        'SELECT current_user || ssl::text FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
      );
      expect(answer).toContain(`${user}${String(!isPlain)}`);
    });
  });

  it.each(METHODS.filter((user) => user !== 'by_trust'))('refuses a wrong password: %s', async (user) => {
    for (const PASS of ['wrong', ''])
      expect(await refusal(user, 'require', { PASS })).toEqual({
        severity: 'FATAL',
        code: '08004',
        message: 'The database refused the user or the password of this connection.',
      });
  });

  it('does what the server wants where sslmode allows both', async () => {
    for (const mode of ['allow', 'prefer']) {
      expect((await dial('tls_only', mode)).socket).toBeInstanceOf(TLSSocket);
      expect((await dial('plain_only', mode)).socket).not.toBeInstanceOf(TLSSocket);
    }
  });

  it('refuses what the server wants where sslmode forbids it', async () => {
    const turnedAway = { code: '08004', message: 'The database refused the user of this connection.' };
    expect(await refusal('tls_only', 'disable')).toMatchObject(turnedAway);
    for (const mode of ['require', 'verify-ca', 'verify-full'])
      expect(await refusal('plain_only', mode)).toMatchObject(turnedAway);
  });

  it('checks the certificate according to sslmode', async () => {
    const unverified = {
      severity: 'FATAL',
      code: '08001',
      message: 'The certificate of the database could not be verified.',
    };
    const stranger = { SSLROOTCERT: target.otherCertificate };
    for (const mode of ['require', 'verify-ca', 'verify-full'])
      expect(await refusal('by_scram', mode, stranger)).toEqual(unverified);
    for (const mode of ['verify-ca', 'verify-full'])
      expect(await refusal('by_scram', mode, { SSLROOTCERT: '' })).toEqual(unverified);
    const byAddress = { HOST: '127.0.0.1' };
    expect(await refusal('by_scram', 'verify-full', byAddress)).toEqual(unverified);
    expect((await dial('by_scram', 'verify-ca', byAddress)).socket).toBeInstanceOf(TLSSocket);
    expect((await dial('by_scram', 'require', { SSLROOTCERT: target.certificate })).socket).toBeInstanceOf(
      TLSSocket,
    );
    expect((await dial('by_scram', 'prefer', stranger)).socket).toBeInstanceOf(TLSSocket);
  });

  it('refuses an invalid root certificate', async () => {
    expect(await refusal('by_scram', 'verify-full', { SSLROOTCERT: 'canary' })).toMatchObject({
      code: '08001',
    });
  });

  it.each(['disable', 'prefer', 'verify-full'])('cancels what runs, under sslmode %s', async (mode) => {
    const upstream = await dial('by_scram', mode);
    const sleeping = ask(upstream, 'SELECT pg_sleep(30)');
    const question = `SELECT 1 FROM pg_stat_activity WHERE pid = ${upstream.processId} AND state = 'active'`;
    while ((await target.query(question)).length === 0);
    await cancelUpstream(secretFor('by_scram', mode), upstream);
    expect(await sleeping).toContain('C57014');
  });

  it('does not cancel in clear text what runs over TLS', async () => {
    const heard: Buffer[] = [];
    const wire = await startTcpProxy('127.0.0.1', target.port, {
      toTarget: (bytes) => (heard.push(bytes), bytes),
    });
    try {
      const port = { PORT: String(wire.port) };
      const upstream = await dial('by_scram', 'prefer', port);
      heard.length = 0;
      await cancelUpstream(secretFor('by_scram', 'prefer', port), upstream);
      expect(Buffer.concat(heard).length).toBeGreaterThan(100);
      expect(Buffer.concat(heard).includes(upstream.secretKey)).toBe(false);
    } finally {
      await wire.close();
    }
  });
});
