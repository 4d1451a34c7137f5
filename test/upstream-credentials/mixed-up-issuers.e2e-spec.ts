import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AuthorizationServers } from '../../src/mcp/upstream-credentials/oauth/authorization-servers';
import { startAccountServer } from '../support/mcp/account-server';
import { beginMcpPath } from '../support/mcp/mcp-path';
import { type McpTestServer, startMcpServer } from '../support/mcp/start-mcp-server';
import { scoped } from '../support/scoped';

const PATHS = [
  '',
  '/',
  '/tenant',
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
  '/a/.well-known/b',
  '/?/.well-known/',
  '/#/.well-known/',
  '/%2Ewell-known/x',
  '/x/..//.well-known/x',
];

/**
 * An MCP server names an attacker's authorization server. The attacker's metadata contain the issuer of an
 * honest server, to get the codes and secrets that are meant for the honest server.
 */
describe(
  'an authorization server whose metadata have the issuer of another one',
  scoped((begin) => {
    const path = beginMcpPath(begin);
    const accounts = begin(() => startAccountServer());
    let named: string;
    const server: McpTestServer = begin(() =>
      startMcpServer('modern', {
        accepts: () => false,
        metadata: new Map([
          [
            '/.well-known/oauth-protected-resource/mcp',
            (): object => ({ resource: server.url, authorization_servers: [named] }),
          ],
        ]),
      }),
    );
    let attacker: Server;
    let origin: string;
    let asked: string[];

    beforeAll(async () => {
      attacker = createServer((request, response) => {
        asked.push(request.url ?? '');
        response.setHeader('content-type', 'application/json');
        const metadata = {
          issuer: accounts.issuer,
          authorization_endpoint: `${accounts.issuer}/auth`,
          token_endpoint: `${origin}/token`,
          code_challenge_methods_supported: ['S256'],
        };
        response.end(JSON.stringify(metadata));
      });
      attacker.listen(0, '127.0.0.1');
      await once(attacker, 'listening');
      origin = `http://127.0.0.1:${(attacker.address() as AddressInfo).port}`;
    });
    afterAll(() => attacker.close());
    beforeEach(() => (asked = []));

    const find = () =>
      path.gateway.app
        .get(AuthorizationServers, { strict: false })
        .find(new URL(server.url), undefined, 'now');

    it('is found where it is the issuer', async () => {
      named = accounts.issuer;
      await expect(find()).resolves.toMatchObject({ metadata: { issuer: accounts.issuer } });
    });

    // promises: UPSTREAM-10
    it.each(PATHS)('is refused at the address %p', async (address) => {
      named = `${origin}${address}`;
      await expect(find()).rejects.toThrow(/well-known address|issuer does not match|unexpected HTTP/);
      expect(asked).not.toContain('/token');
    });
  }),
);
