import type { RequestListener } from 'node:http';
import { whoIs } from '../support/callers';
import { eventually } from '../support/eventually';
import { type Answer, type TestGateway, passwordToken, startGateway } from '../support/gateway';
import {
  type HostileProvider,
  json,
  newKey,
  startHostileProvider,
  trusting,
} from '../support/hostile-provider';

const DISCOVERY = '/.well-known/openid-configuration';
const statuses = (answers: Answer[]) => [...new Set(answers.map((answer) => answer.status))];

// promises: TOKEN-4
it('a rotation of keys under load refuses no valid token', async () => {
  const gateway = await startGateway();
  const fresh = (count: number) =>
    Promise.all(Array.from({ length: count }, () => passwordToken(gateway.provider.issuer, 'alice')));
  const load = async (tokens: string[]) => Promise.all(tokens.map((token) => whoIs(gateway, token)));

  const before = await fresh(20);
  // Sends half of the old tokens while the keys rotate. All tokens are sent after the rotation.
  const underWay = load(before.slice(0, 10));
  await gateway.provider.rotateKeys();
  const after = await fresh(20);
  const answers = [...(await underWay), ...(await load([...before, ...after]))];
  expect(statuses(answers)).toEqual([200]);
  await gateway.close();
});

describe('the key set of a provider in trouble', () => {
  let provider: HostileProvider;
  let gateway: TestGateway;
  let subjects = 0;

  /** A token that the gateway has never seen. */
  const newToken = (): string => provider.token({ sub: `user-${++subjects}` });

  beforeEach(async () => {
    provider = await startHostileProvider();
    gateway = await startGateway({ environment: trusting(provider) });
  });

  afterEach(async () => {
    await gateway.close();
    await provider.close();
  });

  // promises: TOKEN-4
  it('a flood of made-up key ids costs one more fetch, and valid tokens go on', async () => {
    const key = newKey('RS256');
    const flood = Array.from({ length: 200 }, (_, n) =>
      provider.token({}, { key: { ...key, kid: `made-up-${n}` } }),
    );
    const [refused, valid] = await Promise.all([
      Promise.all(flood.map((token) => whoIs(gateway, token))),
      Promise.all(Array.from({ length: 20 }, () => whoIs(gateway, newToken()))),
    ]);
    expect(statuses(refused)).toEqual([401]);
    expect(statuses(valid)).toEqual([200]);
    expect(provider.count('/jwks')).toBeLessThanOrEqual(2);
    expect(provider.count(DISCOVERY)).toBe(1);
  });

  it('a private key that is published by mistake opens nothing', async () => {
    const { privateKey } = newKey('RS256');
    provider.keys.push({ ...privateKey.export({ format: 'jwk' }), kid: 'private', alg: 'RS256' });
    expect((await whoIs(gateway, newToken())).status).toBe(200);
    const leaked = { ...newKey('RS256'), privateKey, kid: 'private' };
    expect((await whoIs(gateway, provider.token({}, { key: leaked }))).status).toBe(503);
    expect((await whoIs(gateway, newToken())).status).toBe(200);
  });

  const faults = {
    'an error': (_, response) => json(response, 500, { error: 'server_error' }),
    'no JSON': (_, response) => response.writeHead(200).end('<html>maintenance</html>'),
    'other JSON': (_, response) => json(response, 200, { keys: 'none', issuer: 7 }),
    'a redirect': (_, response) =>
      response.writeHead(302, { location: `${provider.issuer}/elsewhere` }).end(),
    'a megabyte too much': (_, response) => json(response, 200, { keys: [], padding: 'x'.repeat(1_100_000) }),
    'a cut connection': (request) => void request.socket.destroy(),
  } satisfies Record<string, RequestListener>;

  // promises: TOKEN-5
  it.each<[string, (keyof typeof faults)[]]>([
    [DISCOVERY, ['a redirect']],
    ['/jwks', ['no JSON', 'other JSON', 'a megabyte too much', 'a cut connection']],
  ])('%s answers with %p: 503 for new tokens, until it is well again', async (path, troubles) => {
    for (const fault of troubles.map((trouble) => faults[trouble])) {
      const asked = provider.count(path);
      provider.instead.set(path, fault);
      await eventually('the provider is asked again', async () => {
        const answer = await whoIs(gateway, newToken());
        expect([answer.status, answer.body]).toEqual([
          503,
          { message: expect.stringContaining('try again') },
        ]);
        expect(answer.headers.get('retry-after')).toBe('5');
        return provider.count(path) > asked;
      });
      expect((await gateway.call(null, 'GET', '/healthz')).status).toBe(200);
    }
    expect(provider.count('/elsewhere')).toBe(0);
    provider.instead.clear();
    await eventually(
      'new tokens are accepted',
      async () => (await whoIs(gateway, newToken())).status === 200,
    );
  });

  it('a failing provider is asked only a few times', async () => {
    provider.instead.set('/jwks', faults['an error']);
    const answers = [];
    for (let round = 0; round < 10; round++)
      answers.push(...(await Promise.all(Array.from({ length: 10 }, () => whoIs(gateway, newToken())))));
    expect(statuses(answers)).toEqual([503]);
    expect(provider.count('/jwks')).toBeLessThan(10);
  });
});
