import { once } from 'node:events';
import { type AddressInfo, type Server, createServer } from 'node:net';
import { SignInGrants } from '../../src/mcp/upstream-credentials/sign-in/sign-in-grants';
import { UpstreamClients } from '../../src/mcp/upstream-credentials/sign-in/upstream-clients';
import { startAccountServer } from '../support/mcp/account-server';
import { beginMcpPath } from '../support/mcp/mcp-path';
import { spellingsOfAddress } from '../support/mcp/private-addresses';
import { type McpTestServer, startMcpServer } from '../support/mcp/start-mcp-server';
import { scoped } from '../support/scoped';

/** Hosts that all stand for this machine. `MCP_ALLOWED_HOSTS` allows only 127.0.0.1. */
const HOSTS = [...['127.0.0.2', '0.0.0.0'].flatMap(spellingsOfAddress), '[::1]', '[::]', 'localhost'];

describe(
  'endpoints of authorization servers at private addresses',
  scoped((begin) => {
    const path = beginMcpPath(begin);
    const accounts = begin(() => startAccountServer());
    let named: string[] = [];
    let challenge: string | undefined;
    const server: McpTestServer = begin(() =>
      startMcpServer('modern', {
        accepts: () => false,
        metadata: new Map([
          [
            '/.well-known/oauth-protected-resource/mcp',
            (): object => ({ resource: server.url, authorization_servers: named }),
          ],
        ]),
        challenge: () => Buffer.from(challenge ?? 'Bearer').toString('latin1'),
      }),
    );
    let decoy: Server;
    let reached = 0;
    let addresses: string[];

    beforeAll(async () => {
      decoy = createServer((socket) => {
        reached += 1;
        socket.destroy();
      });
      decoy.listen(0, '::');
      await once(decoy, 'listening');
      const { port } = decoy.address() as AddressInfo;
      addresses = HOSTS.flatMap((host) => [`http://${host}:${port}`, `https://${host}:${port}`]);
    });
    afterAll(() => decoy.close());
    beforeEach(() => {
      reached = 0;
      named = [accounts.issuer];
      challenge = undefined;
    });
    afterEach(() => {
      accounts.metadata = undefined;
    });

    const grants = () => path.gateway.app.get(SignInGrants, { strict: false });
    const clients = () => path.gateway.app.get(UpstreamClients, { strict: false });
    const begun = () => ({
      state: 'a-state',
      verifier: 'v'.repeat(43),
      issuer: accounts.issuer,
      client: { id: 'client', secret: 'secret' },
      resource: server.url,
      scope: undefined,
      binding: 'binding',
    });
    const kept = () => ({
      issuer: accounts.issuer,
      clientId: 'client',
      resource: server.url,
      refreshToken: 'r',
    });
    /** Sets this address for the endpoint in the metadata of the authorization server. */
    const at = (endpoint: string, address: string): void => {
      accounts.metadata = (right) => ({ ...right, [endpoint]: `${address}/x` });
    };
    const find = () => grants().serverOf({ server: new URL(server.url), issuer: undefined });

    const ways: [string, (address: string) => Promise<unknown>][] = [
      [
        'metadata of the MCP server',
        (address) => ((named = []), (challenge = `Bearer resource_metadata="${address}/x"`), find()),
      ],
      ['the authorization server', (address) => ((named = [address]), find())],
      [
        'the registration endpoint',
        async (address) => {
          const { metadata } = {
            metadata: { issuer: accounts.issuer, registration_endpoint: `${address}/x` },
          };
          return clients().of('00000000-0000-4000-8000-000000000000', { client: undefined }, metadata);
        },
      ],
      [
        'the token endpoint, for a code',
        (address) => {
          at('token_endpoint', address);
          const iss = encodeURIComponent(accounts.issuer);
          return grants().exchange(begun(), `state=a-state&code=c&iss=${iss}`);
        },
      ],
      [
        'the token endpoint, for a refresh token',
        (address) => (at('token_endpoint', address), grants().refresh(begun().client, kept())),
      ],
      [
        'the revocation endpoint',
        (address) => {
          at('revocation_endpoint', address);
          const token = { accessToken: 'a', obtainedAt: 0, renewAt: 0, refresh: kept() };
          return grants().revoke(begun().client, token);
        },
      ],
    ];

    it('are as many as a reader would try', () => {
      expect(addresses.length * ways.length).toBeGreaterThan(500);
    });

    // promises: UPSTREAM-10
    it.each(ways)('get no connection as %s', async (_, ask) => {
      const taken: string[] = [];
      for (const address of addresses)
        await ask(address).then(
          () => taken.push(address),
          () => undefined,
        );
      expect([taken, reached]).toEqual([[], 0]);
    });

    // promises: UPSTREAM-10
    it('would be reached if their host were allowed', async () => {
      const { port } = decoy.address() as AddressInfo;
      await ways[2]?.[1](`http://127.0.0.1:${port}`).catch(() => undefined);
      expect(reached).toBe(1);
    });
  }),
);
