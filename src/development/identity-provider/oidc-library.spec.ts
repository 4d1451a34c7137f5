import { codeFlow, identityProviders, passwordToken } from '../../../test/support/development-identity';

const providers = identityProviders();

afterAll(() => providers.stopAll());

// This test has its own file, because the library prints each warning once per process, at load or later.
it('is silent while it loads and through every kind of request', async () => {
  const methods = ['log', 'info', 'warn', 'error'] as const;
  const printed = methods.map((method) => jest.spyOn(console, method).mockImplementation());
  for (const accessTokenFormat of ['jwt', 'opaque'] as const) {
    const { issuer } = await providers.start({ accessTokenFormat });
    await codeFlow(issuer);
    await passwordToken(issuer);
    await fetch(`${issuer}/auth`, { headers: { accept: 'text/html' } });
    await fetch(`${issuer}/token`, { method: 'POST', headers: { origin: 'http://other.example' } });
  }
  const words = printed.flatMap((spy) => spy.mock.calls);
  jest.restoreAllMocks();
  expect(words).toEqual([]);
});
