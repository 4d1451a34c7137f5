import { AsyncResource } from 'node:async_hooks';
import { developmentUsers } from '../../src/development/users';
import { eventually } from './eventually';
import { passwordToken } from './gateway';
import { startIdentityProvider } from './identity-provider';

const OPTIONS = {
  port: 0,
  clientId: 'access-gateway',
  clientSecret: 'secret',
  redirectUris: ['http://127.0.0.1:1/callback'],
  audience: 'access-gateway',
  users: [...developmentUsers],
};

/** Counts the AsyncLocalStorage stores in use: Node.js before 24 copies them to each new resource. */
const storesInUse = (): number =>
  Object.getOwnPropertySymbols(new AsyncResource('any')).filter(
    ({ description }) => description === 'kResourceStore',
  ).length;

describe('the identity provider of tests', () => {
  it('has a key of its own among those of a test file, and rotates it', async () => {
    const [one, other] = [await startIdentityProvider(OPTIONS), await startIdentityProvider(OPTIONS)];
    const [first, second] = [await keysOf(one.issuer), await keysOf(other.issuer)];
    expect(first).toHaveLength(1);
    expect(second).not.toEqual(first);
    await one.rotateKeys();
    expect(await keysOf(one.issuer)).toEqual([expect.any(String), ...first]);
    await Promise.all([one.close(), other.close()]);
  });

  it('leaves no AsyncLocalStorage in use', async () => {
    const provider = await startIdentityProvider(OPTIONS);
    const tokens = await Promise.all(
      ['admin', 'alice', 'bob'].map((who) => passwordToken(provider.issuer, who)),
    );
    expect(new Set(tokens).size).toBe(3);
    // A gateway of another test file may use its AsyncLocalStorage for one more second.
    await eventually('none is in use', () => Promise.resolve(storesInUse() === 0));
    await provider.close();
  });
});

async function keysOf(issuer: string): Promise<string[]> {
  const { keys } = (await (await fetch(`${issuer}/jwks`)).json()) as { keys: { kid: string }[] };
  return keys.map(({ kid }) => kid);
}
