import { describeHostileProvider } from '../support/describe';
import { usersOf, whoIs } from '../support/callers';
import { hmac, jws, newKey, publicJwk, signatureOf } from '../support/hostile-provider';

const attacker = newKey('RS256');
const curve = newKey('ES256');
const attackerPem = attacker.publicKey.export({ type: 'spki', format: 'pem' });
const der = attacker.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');

// promises: TOKEN-2
describeHostileProvider('forged tokens', ({ provider, gateway }) => {
  beforeAll(async () => {
    expect((await whoIs(gateway, provider.token({ sub: 'honest' }))).status).toBe(200);
  });

  afterAll(async () => {
    // No user was created, and no forged token caused a request of its own. The gateway requested discovery,
    // and the key set at most twice, because of unknown key ids. It sent only opaque garbage to userinfo.
    expect((await usersOf(gateway)).map((user) => user.subject)).toEqual(['honest']);
    expect(new Set(provider.requests)).toEqual(
      new Set(['/.well-known/openid-configuration', '/jwks', '/userinfo']),
    );
    expect(provider.count('/jwks')).toBeLessThanOrEqual(2);
  });

  async function expectRefused(token: string): Promise<void> {
    const answer = await whoIs(gateway, token);
    expect([answer.status, answer.body]).toEqual([
      401,
      { message: expect.stringMatching(/^the access token is not valid/) },
    ]);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  }

  describe('algorithm confusion', () => {
    it.each(['none', 'None', 'NONE', '', null, 0, ['RS256'], undefined])('alg %p, unsigned', (alg) =>
      expectRefused(provider.token({}, { header: { alg }, sign: () => Buffer.alloc(0) })),
    );

    it.each(['HS256', 'HS384', 'HS512', 'hs256'])('%s with the public key as its secret', async (alg) => {
      const { publicKey } = provider.key;
      const secrets = [
        publicKey.export({ type: 'spki', format: 'pem' }).toString(),
        publicKey.export({ type: 'spki', format: 'pem' }).toString().trim(),
        publicKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
        JSON.stringify(publicKey.export({ format: 'jwk' })),
        JSON.stringify(provider.keys[0]),
        publicKey.export({ format: 'jwk' }).n ?? '',
        '',
      ];
      for (const secret of secrets) {
        const sign = hmac(secret, alg.replace(/hs/i, 'sha'));
        await expectRefused(provider.token({}, { header: { alg }, sign }));
        await expectRefused(provider.token({}, { header: { alg, kid: undefined }, sign }));
      }
    });

    it.each(['RS384', 'RS512', 'PS256', 'PS384', 'ES256', 'ES384', 'ES256K', 'EdDSA', 'RSA-OAEP'])(
      '%s over a signature of RS256',
      (alg) => expectRefused(provider.token({}, { header: { alg } })),
    );

    it('PS256 and ES256 made with keys that are published for RS256, or not at all', async () => {
      await expectRefused(
        provider.token(
          {},
          { header: { alg: 'PS256' }, sign: signatureOf({ ...provider.key, alg: 'PS256' }) },
        ),
      );
      await expectRefused(provider.token({}, { key: { ...curve, kid: provider.key.kid } }));
      await expectRefused(provider.token({}, { key: curve, header: { kid: undefined } }));
    });
  });

  describe('keys that a token brings along', () => {
    const carried: [string, (issuer: string) => object][] = [
      ['jwk', () => ({ jwk: publicJwk(attacker) })],
      ['jku', (issuer) => ({ jku: `${issuer}/attacker/jwks` })],
      ['x5u', (issuer) => ({ x5u: `${issuer}/attacker/certificate` })],
      ['x5c', () => ({ x5c: [der], 'x5t#S256': 'AAAA' })],
      ['crit', (issuer) => ({ crit: ['jku'], jku: `${issuer}/attacker/jwks` })],
    ];

    it.each(carried)('%s', async (_, header) => {
      const extra = { ...header(provider.issuer) };
      for (const kid of [provider.key.kid, attacker.kid, undefined])
        await expectRefused(provider.token({}, { key: attacker, header: { ...extra, kid } }));
    });

    it.each<[string, unknown]>([
      ['a path', '../../../../../../dev/null'],
      ['a file', 'file:///etc/passwd'],
      ['an address', 'http://127.0.0.1:1/attacker/jwks'],
      ['SQL', "x' UNION SELECT 'key"],
      ['a member of every object', '__proto__'],
      ['empty', ''],
      ['long', 'k'.repeat(4_000)],
      ['a number', 7],
      ['an object', { toString: 'x' }],
      ['an array', [attacker.kid]],
      ['null', null],
    ])('kid is %s', async (_, kid) => {
      await expectRefused(provider.token({}, { key: attacker, header: { kid } }));
      await expectRefused(
        provider.token({}, { header: { kid, alg: 'HS256' }, sign: hmac(attackerPem.toString()) }),
      );
    });
  });

  describe('tampered and broken tokens', () => {
    it('another payload, header or signature', async () => {
      const [header, payload, signature] = provider.token().split('.');
      const [otherHeader, otherPayload, otherSignature] = provider
        .token({ sub: 'admin', groups: ['admin'] }, { header: { typ: 'JWT' } })
        .split('.');
      await expectRefused(`${header}.${otherPayload}.${signature}`);
      await expectRefused(`${otherHeader}.${payload}.${signature}`);
      await expectRefused(`${header}.${payload}.${otherSignature}`);
      await expectRefused(`${header}.${payload}.`);
      await expectRefused(`${header}.${payload}.${signature?.slice(0, -8)}`);
    });

    it.each([
      'x',
      '.',
      '..',
      '...',
      'a.b.c',
      'a.b.c.d',
      '....',
      'null',
      'e30.e30.',
      '-_-',
      'a'.repeat(12_000),
    ])('garbage %#', (token) => expectRefused(token));

    it.each([null, 'text', 7, true, []])('a payload that is %p, properly signed', (payload) =>
      expectRefused(jws({ alg: 'RS256', kid: provider.key.kid }, payload, signatureOf(provider.key))),
    );

    it('a header that is too large never reaches the application', async () => {
      const answer = await whoIs(gateway, 'a'.repeat(90_000));
      expect(answer.status).toBe(431);
    });
  });

  // promises: AUTH-3
  it.each([
    '',
    'Bearer',
    'Bearer ',
    'Basic YWRtaW46YWRtaW4=',
    'Bearer a b',
    'Bearer a,b',
    'Bearer "a"',
    'Token x',
  ])('an Authorization header %p is no bearer token', async (authorization) => {
    const answer = await gateway.call(null, 'GET', '/userinfo', undefined, { authorization });
    expect([answer.status, answer.body]).toEqual([401, { message: expect.stringContaining('bearer token') }]);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });
});
