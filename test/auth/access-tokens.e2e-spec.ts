import { describeHostileProvider } from '../support/describe';
import { usersOf, whoIs } from '../support/callers';
import { startGateway } from '../support/gateway';
import { hmac, newKey, nowInSeconds, publicJwk, startHostileProvider } from '../support/hostile-provider';

const withoutAlg = newKey('RS256');
const curve = newKey('ES256');
const pss = newKey('PS256');
const stranger = newKey('RS256');

/**
 * Claims of tokens that the provider really signed, but that are no valid access tokens for this gateway.
 */
const refused: [string, Record<string, unknown>][] = [
  ['another audience', { aud: 'another-api' }],
  ['an audience that only begins like ours', { aud: 'access-gateway-cli' }],
  ['our audience in other letters', { aud: 'Access-Gateway' }],
  ['no audience', { aud: undefined }],
  ['an empty audience', { aud: '' }],
  ['an array of other audiences', { aud: ['another-api', 'account'] }],
  ['an empty array of audiences', { aud: [] }],
  ['an audience that is an object', { aud: { 0: 'access-gateway', length: 1 } }],
  ['an array with our audience nested', { aud: [['access-gateway']] }],
  ['another issuer', { iss: 'https://evil.example.com' }],
  ['an array of issuers', { iss: ['https://evil.example.com'] }],
  ['no issuer', { iss: undefined }],
  ['an expired life', { exp: nowInSeconds() - 60 }],
  ['no end', { exp: undefined }],
  ['an end that is text', { exp: String(nowInSeconds() + 300) }],
  ['an end that is null', { exp: null }],
  ['an end in milliseconds', { exp: Date.now() + 300_000 }],
  ['an end in two years', { exp: nowInSeconds() + 2 * 365 * 86_400 }],
  ['an end beyond all numbers', { exp: 1e300 }],
  ['a beginning in the future', { nbf: nowInSeconds() + 120 }],
  ['a beginning that is text', { nbf: 'now' }],
  ['an issue in the future', { iat: nowInSeconds() + 120 }],
  ['no subject', { sub: undefined }],
  ['an empty subject', { sub: '' }],
  ['a subject that is null', { sub: null }],
  ['a subject that is a number', { sub: 7 }],
  ['a subject that is an array', { sub: ['admin'] }],
  ['a subject with NUL', { sub: 'admin\0' }],
  ['a subject that is no Unicode', { sub: 'admin\ud800' }],
  ['an endless subject', { sub: 's'.repeat(257) }],
  ['the nonce of an ID token', { nonce: 'n' }],
  ['the at_hash of an ID token', { at_hash: 'h' }],
  ['the c_hash of an ID token', { c_hash: 'h' }],
  ['the thumbprint of a DPoP key', { cnf: { jkt: '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I' } }],
  ['the thumbprint of a certificate', { cnf: { 'x5t#S256': 'bwcK0esc3ACC3DB2Y5_lESsXE8o9ltc05O89jdN-dg2' } }],
  ['an empty confirmation', { cnf: {} }],
  [
    'the event of a logout token',
    { sid: 's', events: { 'http://schemas.openid.net/event/backchannel-logout': {} } },
  ],
  ['any other event', { events: {} }],
  ['the typ of a logout token', { typ: 'Logout' }],
  ['the typ of a registration token', { typ: 'RegistrationAccessToken' }],
  ['the typ of an ID token', { typ: 'ID' }],
  ['the typ of a refresh token', { typ: 'Refresh' }],
  ['the token_use of an ID token', { token_use: 'id' }],
];

describeHostileProvider('access tokens', ({ provider, gateway }) => {
  beforeAll(() => {
    provider.keys = [
      publicJwk(provider.key),
      publicJwk(curve),
      publicJwk(pss),
      { ...publicJwk(withoutAlg), alg: undefined },
    ];
  });

  // promises: TOKEN-1
  it.each<[string, Record<string, unknown>]>([
    ['as it should be', {}],
    ['our audience among others', { aud: ['another-api', 'access-gateway'] }],
    ['a clock that is a little ahead', { iat: nowInSeconds() + 10, nbf: nowInSeconds() + 10 }],
    ['a clock that is a little behind', { exp: nowInSeconds() - 5 }],
    ['a typ of its own', { typ: 'Bearer', token_use: 'access' }],
    ['no time of issue', { iat: undefined }],
    ['odd times of issue', { iat: -1e300 }],
    ['fractions of seconds', { iat: nowInSeconds() - 0.5, exp: nowInSeconds() + 100.5 }],
  ])('is accepted: %s', async (_, claims) => {
    const answer = await whoIs(gateway, provider.token({ sub: 'honest', ...claims }));
    expect([answer.status, answer.body.id, answer.body.role]).toEqual([200, 'honest', 'regular']);
  });

  it.each(['JWT', 'at+jwt', 'AT+JWT', 'application/at+jwt', undefined])(
    'is accepted with typ %p',
    async (typ) => {
      expect((await whoIs(gateway, provider.token({ sub: 'honest' }, { header: { typ } }))).status).toBe(200);
    },
  );

  // promises: TOKEN-2
  it('is accepted with every asymmetric algorithm that the provider publishes a key for', async () => {
    for (const key of [curve, pss, withoutAlg])
      expect((await whoIs(gateway, provider.token({ sub: 'honest' }, { key }))).status).toBe(200);
  });

  // promises: TOKEN-1
  it.each(refused)('is refused with %s', async (_, claims) => {
    const answer = await whoIs(gateway, provider.token({ groups: ['admin'], ...claims }));
    expect([answer.status, answer.body]).toEqual([
      401,
      { message: expect.stringMatching(/^the access token /) },
    ]);
  });

  it.each<unknown>(['logout+jwt', 'secevent+jwt', 'dpop+jwt', 'id+jwt', '', 7, null])(
    'is refused with typ %p in its header',
    async (typ) => expect((await whoIs(gateway, provider.token({}, { header: { typ } }))).status).toBe(401),
  );

  it('is reported as expired, so that clients can renew it', async () => {
    const answer = await whoIs(gateway, provider.token({ exp: nowInSeconds() - 60 }));
    expect(answer.body).toEqual({ message: 'the access token has expired' });
  });

  it('a key without alg verifies algorithms of its type, and never a shared secret', async () => {
    const { kid, publicKey } = withoutAlg;
    const secret = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    for (const alg of ['HS256', 'none', 'ES256', 'EdDSA']) {
      const forged = provider.token({}, { header: { alg, kid }, sign: hmac(secret) });
      expect((await whoIs(gateway, forged)).status).toBe(401);
    }
  });

  it('another issuer, with keys of its own, does not speak for our subjects', async () => {
    const other = await startHostileProvider();
    for (const iss of [other.issuer, provider.issuer]) {
      const token = other.token({ sub: 'honest', iss }, { key: stranger });
      expect((await whoIs(gateway, token)).status).toBe(401);
    }
    expect(other.requests).toEqual([]);
    await other.close();
  });

  it('whatever was refused has left no trace', async () => {
    expect((await usersOf(gateway)).map((user) => user.subject)).toEqual(['honest']);
  });
});

// promises: TOKEN-1
it('the ID token that a real provider issued to another client is refused', async () => {
  const gateway = await startGateway();
  const response = await fetch(`${gateway.provider.issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'password',
      client_id: 'access-gateway-cli',
      username: 'admin',
      password: 'admin',
    }),
  });
  const { access_token, id_token } = (await response.json()) as { access_token: string; id_token: string };
  expect((await whoIs(gateway, access_token)).status).toBe(200);
  expect((await whoIs(gateway, id_token)).status).toBe(401);
  await gateway.close();
});
