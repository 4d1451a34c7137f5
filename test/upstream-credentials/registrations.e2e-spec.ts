import { startAccountServer } from '../support/mcp/account-server';
import { addressFor, connectAccount, startGuardedServer } from '../support/mcp/connecting';
import { beginMcpPath } from '../support/mcp/mcp-path';
import { RawClient } from '../support/mcp/raw-client';
import { scoped } from '../support/scoped';

// promises: UPSTREAM-10
describe(
  'the client that the gateway registers',
  scoped((begin) => {
    const path = beginMcpPath(begin);
    afterEach(() => jest.restoreAllMocks());

    /** The test server accepts only the authentication method that the client has registered. */
    it.each([
      ['client_secret_basic', ['client_secret_basic', 'client_secret_post', 'none']],
      ['client_secret_basic', undefined],
      ['client_secret_basic', ['private_key_jwt']],
      ['client_secret_post', ['none', 'client_secret_post']],
      ['none', ['private_key_jwt', 'none']],
    ])('authenticates by %s where the server says %j', async (method, supported) => {
      const accounts = await startAccountServer();
      const server = await startGuardedServer('modern', accounts);
      try {
        accounts.metadata = (right) => ({ ...right, token_endpoint_auth_methods_supported: supported });
        const name = await path.connection(server.url, { secret: { MCP_AUTH: 'oauth' } });
        await connectAccount(await addressFor(path.gateway, name, 'alice'), 'alice', accounts);
        const client = new RawClient(path, name);
        const call = async () => (await client.call('echo', { text: 'x' })).message.result?.content;
        expect(await call()).toEqual([{ type: 'text', text: 'x' }]);
        const now = Date.now.bind(Date);
        jest.spyOn(Date, 'now').mockImplementation(() => now() + accounts.lifeSeconds * 1000);
        expect(await call()).toEqual([{ type: 'text', text: 'x' }]);
        expect(accounts.grants.map(({ grant_type: type }) => type)).toEqual([
          'authorization_code',
          'refresh_token',
        ]);
        // The form contains the secret and the client id only if the method requires them there.
        for (const grant of accounts.grants)
          expect([grant['client_secret'] !== undefined, grant['client_id'] !== undefined]).toEqual([
            method === 'client_secret_post',
            method !== 'client_secret_basic',
          ]);
      } finally {
        await server.close();
        await accounts.close();
      }
    });
  }),
);
