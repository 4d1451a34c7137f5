import { describeHostileProvider } from '../support/describe';
import { whoIs } from '../support/callers';
import { eventually } from '../support/eventually';
import { newKey, publicJwk } from '../support/hostile-provider';
import { stoppedPatience } from '../support/patience';

const SETTINGS = { environment: { IDP_TIMEOUT_SECONDS: '3' } };

describeHostileProvider('a provider that falls silent', SETTINGS, ({ provider, gateway }) => {
  it('delays only those whose token needs it, and for a limited time', async () => {
    const known = provider.token();
    expect((await whoIs(gateway, known)).status).toBe(200);
    // The provider accepts requests and never answers, so only the gateway's own time-out ends them.
    const patience = stoppedPatience();
    for (const path of ['/jwks', '/userinfo']) provider.instead.set(path, () => undefined);

    const rotated = newKey('RS256');
    const fetched = provider.count('/jwks');
    const waiting = [
      whoIs(gateway, provider.token({}, { key: rotated })),
      whoIs(gateway, provider.token({ sub: 'another' }, { key: rotated })),
      whoIs(gateway, 'an-opaque-token'),
    ];
    let settled = 0;
    for (const answer of waiting) void answer.then(() => settled++);
    await eventually(
      'the provider is asked',
      async () => provider.count('/jwks') > fetched && provider.count('/userinfo') > 0,
    );

    for (let round = 0; round < 5; round++) {
      const others = await Promise.all([
        gateway.call(null, 'GET', '/healthz'),
        gateway.call(null, 'GET', '/publicserverinfo'),
        gateway.call(null, 'GET', '/login'),
        whoIs(gateway, known),
        whoIs(gateway, provider.token({ sub: `user-${round}` })),
      ]);
      expect(others.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200]);
    }
    expect(settled).toBe(0);

    expect(patience.longest()).toBe(3_000);
    patience.runOut();
    for (const answer of await Promise.all(waiting)) {
      expect([answer.status, answer.body]).toEqual([503, { message: expect.stringContaining('try again') }]);
    }
    expect(provider.count('/jwks')).toBe(fetched + 1);

    patience.restore();
    provider.instead.clear();
    provider.keys.push(publicJwk(rotated));
    provider.userinfo = { status: 200, body: { sub: 'opaque' } };
    await eventually('new keys and opaque tokens are accepted', async () => {
      const token = provider.token({ sub: 'another' }, { key: rotated });
      const answers = [await whoIs(gateway, token), await whoIs(gateway, 'an-opaque-token')];
      return answers.every((answer) => answer.status === 200);
    });
  });
});
