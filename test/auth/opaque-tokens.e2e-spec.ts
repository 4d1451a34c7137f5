import type { RequestListener } from 'node:http';
import { describeGateway, describeHostileProvider } from '../support/describe';
import { groupsOf, usersOf, whoIs } from '../support/callers';
import { startGateway } from '../support/gateway';
import { json, startHostileProvider, trusting } from '../support/hostile-provider';

const SETTINGS = { provider: { accessTokenFormat: 'opaque' } } as const;

describeGateway('opaque tokens of a real provider', SETTINGS, ({ gateway }) => {
  it('have the person, profile and groups of userinfo', async () => {
    expect((await gateway.token('admin')).split('.')).toHaveLength(1);
    const answer = await gateway.call('admin', 'GET', '/userinfo');
    expect(answer.body).toMatchObject({ id: 'admin', name: 'Ada Admin', groups: ['admin'], role: 'admin' });
  });

  it('are 401 when the provider does not know them', async () => {
    for (const token of ['unknown', `${await gateway.token('admin')}x`]) {
      const answer = await whoIs(gateway, token);
      expect([answer.status, answer.body]).toEqual([401, { message: 'the access token is not valid' }]);
    }
  });
});

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

    const now = performance.now.bind(performance);
    const later = jest.spyOn(performance, 'now').mockImplementation(() => now() + 60_001);
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
    // Userinfo speaks of somebody else: not believed, but the token stands on its own.
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
