import type { RequestListener } from 'node:http';
import { Logger } from '@nestjs/common';
import { describeGateway, describeHostileProvider, describeScoped } from '../support/describe';
import { groupsOf, usersOf, whoIs } from '../support/callers';
import { COMMAND_LINE_CLIENT_ID } from '../../src/development/identity-provider/identity-provider';
import { type TestGateway, startGateway } from '../support/gateway';
import { json, nowInSeconds, startHostileProvider, trusting } from '../support/hostile-provider';

const PROVIDER = { accessTokenFormat: 'opaque' } as const;
const WITH_COMMAND_LINE = {
  provider: PROVIDER,
  environment: { IDP_OTHER_CLIENTS: COMMAND_LINE_CLIENT_ID },
};

describeGateway('opaque tokens of a real provider', WITH_COMMAND_LINE, ({ gateway }) => {
  it('have the person, profile and groups of userinfo', async () => {
    expect((await gateway.token('admin')).split('.')).toHaveLength(1);
    const answer = await gateway.call('admin', 'GET', '/userinfo');
    expect(answer.body).toMatchObject({ id: 'admin', name: 'Ada Admin', groups: ['admin'], role: 'admin' });
  });

  it('are 401 when the provider does not know them', async () => {
    for (const token of ['unknown', `${await gateway.token('admin')}x`]) {
      const answer = await whoIs(gateway, token);
      expect([answer.status, answer.body.message]).toEqual([
        401,
        'the access token is not valid: the identity provider does not know it, or has ended it',
      ]);
    }
  });
});

describeGateway(
  'opaque tokens of several clients of a real provider',
  { provider: PROVIDER },
  ({ gateway }) => {
    // promises: TOKEN-3
    it('are accepted from the own client, not from another application', async () => {
      const others = await whoIs(gateway, await gateway.token('admin'));
      expect([others.status, others.body.message]).toEqual([
        401,
        'the access token is not valid: it is for another audience',
      ]);
      const own = await whoIs(gateway, await ownToken(gateway));
      expect(own.body).toMatchObject({ id: 'admin', groups: ['admin'] });
    });
  },
);

/** Gets an access token with the gateway's own client id. */
async function ownToken({ provider, variables }: TestGateway): Promise<string> {
  const response = await fetch(`${provider.issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'password',
      client_id: String(variables['IDP_CLIENT_ID']),
      client_secret: String(variables['IDP_CLIENT_SECRET']),
      username: 'admin',
      password: 'admin',
      scope: 'openid email profile groups',
    }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

/** Moves the clock of the caches. `mockRestore` of the result moves it back. */
async function passed(ms: number): Promise<jest.SpyInstance> {
  const now = performance.now.bind(performance);
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + ms);
  // A cache reads the clock once a millisecond (`ttlResolution` of lru-cache).
  await new Promise((wait) => setTimeout(wait, 5));
  return clock;
}

describeHostileProvider('opaque tokens', ({ provider, gateway }) => {
  beforeEach(() => {
    provider.requests.length = 0;
    provider.instead.clear();
    provider.userinfo = { status: 200, body: { sub: 'olga', email: 'olga@example.com', groups: ['dba'] } };
  });

  // promises: TOKEN-3
  it('are checked once a minute, and end when revoked', async () => {
    for (let n = 0; n < 5; n++) expect((await whoIs(gateway, 'olgas-token')).status).toBe(200);
    expect(provider.count('/userinfo')).toBe(1);

    provider.userinfo = { status: 401, body: { error: 'invalid_token' } };
    expect((await whoIs(gateway, 'olgas-token')).status).toBe(200);

    const later = await passed(60_001);
    expect((await whoIs(gateway, 'olgas-token')).status).toBe(401);
    expect((await whoIs(gateway, 'olgas-token')).status).toBe(401);
    later.mockRestore();
    expect(provider.count('/userinfo')).toBe(3);
  });

  it('are checked separately', async () => {
    expect((await whoIs(gateway, 'first')).body.id).toBe('olga');
    provider.userinfo = { status: 200, body: { sub: 'piet' } };
    expect((await whoIs(gateway, 'second')).body.id).toBe('piet');
    expect((await whoIs(gateway, 'first')).body.id).toBe('olga');
  });

  const answers: [string, number, RequestListener][] = [
    [
      'a refusal with a challenge',
      401,
      (_, response) => response.writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"' }).end(),
    ],
    ['a refusal without a word', 401, (_, response) => response.writeHead(401).end()],
    [
      'a refusal in HTML',
      401,
      (_, response) => response.writeHead(403, { 'content-type': 'text/html' }).end('<p>No'),
    ],
    ['bad request', 401, (_, response) => json(response, 400, { error: 'invalid_request' })],
    ['a subject that is empty', 503, (_, response) => json(response, 200, { sub: '', groups: ['admin'] })],
    ['no subject', 503, (_, response) => json(response, 200, { groups: ['admin'] })],
    ['a subject that is an array', 503, (_, response) => json(response, 200, { sub: ['admin'] })],
    ['a subject with NUL', 401, (_, response) => json(response, 200, { sub: 'admin\0' })],
    ['an array', 503, (_, response) => json(response, 200, [{ sub: 'admin' }])],
    ['no JSON', 503, (_, response) => response.writeHead(200).end('sub=admin')],
    [
      'an unsigned JWT',
      503,
      (_, response) =>
        response
          .writeHead(200, { 'content-type': 'application/jwt' })
          .end('eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.'),
    ],
    [
      'a redirect',
      503,
      (_, response) => response.writeHead(302, { location: `${provider.issuer}/elsewhere` }).end(),
    ],
    ['an error of its own', 503, (_, response) => json(response, 500, { error: 'server_error' })],
    ['too much', 503, (_, response) => json(response, 200, { sub: 'admin', padding: 'x'.repeat(1_100_000) })],
    ['too many requests', 503, (_, response) => json(response, 429, {})],
  ];

  it.each(answers)('userinfo answers with %s: %d', async (what, status, answer) => {
    provider.instead.set('/userinfo', answer);
    const refused = await whoIs(gateway, `token-${what.replaceAll(' ', '-')}`);
    expect([refused.status, refused.body]).toEqual([status, { message: expect.any(String) }]);
    expect(provider.count('/elsewhere')).toBe(0);
    expect((await usersOf(gateway)).map((user) => user.subject)).toEqual(['olga', 'piet']);
  });
});

describeScoped('introspected tokens', (begin) => {
  const given = begin(async () => {
    const provider = await startHostileProvider({ introspection_endpoint: '/introspection' });
    const gateway = await startGateway({
      environment: { ...trusting(provider), IDP_OTHER_CLIENTS: 'the-tool, another-tool' },
    });
    const close = async () => {
      await gateway.close();
      await provider.close();
    };
    return { provider, gateway, close };
  });
  const inAnHour = (): number => nowInSeconds() + 3600;

  beforeEach(() => {
    given.provider.instead.clear();
    given.provider.userinfo = { status: 200, body: { sub: 'olga', email: 'olga@example.com' } };
  });

  let number = 0;
  const answerFor = async (body: object, status = 200) => {
    given.provider.introspection = { status, body };
    given.provider.requests.length = 0;
    number += 1;
    return whoIs(given.gateway, `introspected-${number}`);
  };

  // promises: TOKEN-3
  it.each<[string, () => object]>([
    ['for our audience', () => ({ aud: 'access-gateway' })],
    ['for several audiences', () => ({ aud: ['billing', 'access-gateway'], client_id: 'billing' })],
    ['for our client', () => ({ client_id: 'access-gateway' })],
    ['for our client, with an empty audience', () => ({ client_id: 'access-gateway', aud: [] })],
    ['for another client that is allowed', () => ({ client_id: 'another-tool' })],
    [
      'with all that providers say',
      () => ({
        aud: 'access-gateway',
        iss: given.provider.issuer,
        sub: 'olga',
        exp: inAnHour(),
        token_type: 'Bearer',
        token_use: 'access_token',
      }),
    ],
    [
      'with null for what is not said',
      () => ({
        aud: 'access-gateway',
        exp: null,
        iss: null,
        sub: null,
        token_type: null,
        cnf: null,
        nonce: null,
      }),
    ],
  ])('%s are accepted', async (_, facts) => {
    const answer = await answerFor({ active: true, ...facts() });
    expect([answer.status, answer.body.id]).toEqual([200, 'olga']);
  });

  it.each<[string, () => object]>([
    ['that are not active', () => ({ active: false, aud: 'access-gateway' })],
    ['for nobody', () => ({ active: true })],
    ['for another audience', () => ({ active: true, aud: 'billing' })],
    ['for another audience, got by our client', () => ({ aud: ['billing'], client_id: 'access-gateway' })],
    ['for a client whose id begins like ours', () => ({ client_id: 'access-gateway-2' })],
    ['for a client in another spelling', () => ({ client_id: 'The-Tool' })],
    ['of another issuer', () => ({ aud: 'access-gateway', iss: 'https://other.example.com' })],
    ['that have ended', () => ({ aud: 'access-gateway', exp: nowInSeconds() - 60 })],
    ['that end beyond reason', () => ({ aud: 'access-gateway', exp: Date.now() })],
    ['whose end is a text', () => ({ aud: 'access-gateway', exp: 'never' })],
    ['that are refresh tokens', () => ({ aud: 'access-gateway', token_use: 'refresh_token' })],
    ['of another type', () => ({ aud: 'access-gateway', token_type: 'refresh_token' })],
    ['that need a proof', () => ({ aud: 'access-gateway', token_type: 'DPoP' })],
    ['that are bound to a key', () => ({ aud: 'access-gateway', cnf: { jkt: 'x' } })],
    ['of somebody else than userinfo says', () => ({ aud: 'access-gateway', sub: 'bob' })],
  ])('%s are refused', async (_, facts) => {
    const answer = await answerFor({ active: true, ...facts() });
    expect([answer.status, answer.body.message]).toEqual([401, expect.stringMatching(/^the access token /)]);
  });

  it('are refused where userinfo refuses them, as it does with refresh tokens', async () => {
    given.provider.userinfo = { status: 401, body: { error: 'invalid_token' } };
    expect((await answerFor({ active: true, aud: 'access-gateway' })).status).toBe(401);
  });

  it.each<[string, object, number]>([
    ['it fails', { error: 'server_error' }, 500],
    ['it says nothing', {}, 200],
    ['it says so as a text', { active: 'true', aud: 'access-gateway' }, 200],
    ['it answers a list', [{ active: true, aud: 'access-gateway' }], 200],
  ])('are 503 where %s', async (_, body, status) => {
    const answer = await answerFor(body, status);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(given.provider.count('/userinfo')).toBe(0);
  });

  it('are cached for no longer than they last', async () => {
    given.provider.introspection = {
      status: 200,
      body: { active: true, aud: 'access-gateway', exp: nowInSeconds() + 10 },
    };
    given.provider.requests.length = 0;
    for (let n = 0; n < 3; n++) expect((await whoIs(given.gateway, 'short')).status).toBe(200);
    expect(given.provider.count('/introspection')).toBe(1);
    const later = await passed(10_001);
    expect((await whoIs(given.gateway, 'short')).status).toBe(200);
    later.mockRestore();
    expect(given.provider.count('/introspection')).toBe(2);
  });
});

describe('a provider that lets the gateway introspect no token', () => {
  it.each<[number, object, Record<string, string>]>([
    [401, { error: 'invalid_client' }, {}],
    [401, {}, { 'www-authenticate': 'Basic realm="introspection"' }],
    [401, {}, {}],
    [403, { error: 'access_denied' }, {}],
    [400, { error: 'unauthorized_client' }, {}],
  ])('by %d %j %j: is asked once for a while, and the log says why', async (status, body, headers) => {
    const provider = await startHostileProvider({ introspection_endpoint: '/introspection' });
    const gateway = await startGateway({ environment: trusting(provider) });
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    provider.userinfo = { status: 200, body: { sub: 'olga' } };
    provider.instead.set('/introspection', (_, response) => {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      json(response, status, body);
    });
    for (const token of ['one', 'another', 'a-third']) {
      const answer = await whoIs(gateway, token);
      expect([answer.status, answer.headers.get('retry-after'), answer.body.message]).toEqual([
        503,
        '5',
        'opaque access tokens cannot be verified now: the identity provider refuses it',
      ]);
    }
    expect([provider.count('/introspection'), provider.count('/userinfo')]).toEqual([1, 0]);
    expect(logged.mock.calls.map(([, why]) => why as string)).toEqual([
      expect.stringMatching(/does not let this client introspect tokens.* change IDP_OPAQUE_TOKENS$/),
    ]);
    logged.mockRestore();
    await gateway.close();
    await provider.close();
  });
});

describe('the setting IDP_OPAQUE_TOKENS', () => {
  it.each<[string, Record<string, string>, number, string[]]>([
    ['auto', { introspection_endpoint: '/introspection' }, 401, ['/introspection']],
    ['auto', {}, 200, ['/userinfo']],
    ['userinfo', { introspection_endpoint: '/introspection' }, 200, ['/userinfo']],
    ['introspection', {}, 401, []],
    ['refused', { introspection_endpoint: '/introspection' }, 401, []],
  ])('%s at a provider with %j: %d', async (IDP_OPAQUE_TOKENS, endpoints, status, asked) => {
    const provider = await startHostileProvider(endpoints);
    const gateway = await startGateway({ environment: { ...trusting(provider), IDP_OPAQUE_TOKENS } });
    provider.userinfo = { status: 200, body: { sub: 'olga', email: 'olga@example.com' } };
    expect((await whoIs(gateway, 'a-token')).status).toBe(status);
    expect(provider.requests.filter((path) => !path.startsWith('/.well-known/'))).toEqual(asked);
    await gateway.close();
    await provider.close();
  });

  it('auto is userinfo for a client without a secret, which may not ask', async () => {
    const provider = await startHostileProvider({ introspection_endpoint: '/introspection' });
    const gateway = await startGateway({ environment: { ...trusting(provider), IDP_CLIENT_SECRET: '' } });
    provider.userinfo = { status: 200, body: { sub: 'olga', email: 'olga@example.com' } };
    expect((await whoIs(gateway, 'a-token')).status).toBe(200);
    expect(provider.count('/introspection')).toBe(0);
    await gateway.close();
    await provider.close();
  });
});

describe('thin JWTs', () => {
  // promises: TOKEN-6
  it('are completed by userinfo of the same subject only', async () => {
    const provider = await startHostileProvider();
    const gateway = await startGateway({ environment: trusting(provider) });
    const thin = (sub: string) => provider.token({ sub, email: undefined, name: undefined });

    provider.userinfo = {
      status: 200,
      body: { sub: 'thea', email: 'thea@example.com', name: 'Thea Thin', groups: ['dba'] },
    };
    expect((await whoIs(gateway, thin('thea'))).body).toMatchObject({
      id: 'thea',
      email: 'thea@example.com',
      name: 'Thea Thin',
      groups: ['dba'],
    });
    // Userinfo describes another user, so it is ignored. The token is valid without it.
    expect((await whoIs(gateway, thin('somebody'))).body).toMatchObject({
      id: 'somebody',
      email: '',
      groups: [],
    });
    expect(await groupsOf(gateway, 'somebody')).toEqual([]);

    provider.requests.length = 0;
    await whoIs(gateway, provider.token({ sub: 'full' }));
    expect(provider.count('/userinfo')).toBe(0);

    provider.instead.set('/userinfo', (_, response) => json(response, 500, {}));
    expect((await whoIs(gateway, thin('while-it-is-down'))).body).toMatchObject({
      id: 'while-it-is-down',
      email: '',
    });
    await gateway.close();
    await provider.close();
  });
});
