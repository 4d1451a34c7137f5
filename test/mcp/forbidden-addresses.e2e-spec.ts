import dns from 'node:dns/promises';
import { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { McpSettings } from '../../src/platform/config/groups';
import { AuthorizationServers } from '../../src/mcp/upstream-credentials/oauth/authorization-servers';
import { TokenEndpoint } from '../../src/mcp/upstream-credentials/token-endpoint';
import type { TokenPlan } from '../../src/mcp/upstream-credentials/oauth/auth-of-secret';
import { SystemClock } from '../../src/kernel/async/clock';
import { figure } from '../support/mcp/figures';
import { openedUpstream } from '../support/mcp/opened-upstream';
import { spellingsOfAddress } from '../support/mcp/private-addresses';
import { IS_LONG, someOf } from '../support/volume';
import { type RawServer, json, startRawServer, stream } from '../support/mcp/raw-server';

/** One address of each private range. */
const PRIVATE = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
];
const PRIVATE_6 = ['::', '::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'fec0::1', 'ff02::1'];

// The long form tries every address wherever a server can send one.
if (IS_LONG) jest.setTimeout(1_200_000);

// promises: CONNECTION-14
describe('private addresses', () => {
  let server: RawServer;
  let port: string;
  /** Parts of answers by which the server leads the gateway to another address. */
  let elsewhere: {
    readonly redirect?: string;
    readonly endpoint?: string;
    /** JSON documents that the server has, by their path. */
    readonly documents?: Readonly<Record<string, object>>;
    readonly challenge?: string;
  } = {};
  /** Addresses to which the gateway tried to connect, except the server's own address. */
  let attempts: string[] = [];
  /**
   * Number of connection attempts of sockets to the port of the server, at any host. Other connections of the
   * process do not count.
   */
  let connections = 0;
  const hosts = [
    ...PRIVATE.flatMap(spellingsOfAddress),
    ...PRIVATE_6.map((address) => `[${address}]`),
    'localhost',
    'LOCALHOST',
  ];

  beforeAll(async () => {
    server = await startRawServer(({ path }, response) => {
      const document = elsewhere.documents?.[path];
      if (document !== undefined) json(response, document);
      else if (elsewhere.challenge !== undefined)
        response
          .writeHead(401, { 'www-authenticate': Buffer.from(elsewhere.challenge).toString('latin1') })
          .end();
      else if (elsewhere.redirect !== undefined)
        response.writeHead(307, { location: Buffer.from(elsewhere.redirect).toString('latin1') }).end();
      else if (elsewhere.endpoint !== undefined) {
        stream(response);
        response.write(`event: endpoint\ndata: ${elsewhere.endpoint}\n\n`);
      } else response.writeHead(500).end();
    });
    ({ port } = new URL(server.url));
  });
  beforeEach(() => {
    elsewhere = {};
    server.heard.length = 0;
    attempts = [];
    connections = 0;
    const connect = Reflect.get(Socket.prototype, 'connect') as (...given: unknown[]) => Socket;
    const watched = function (this: Socket, ...given: unknown[]): Socket {
      if (portIn(given) === Number(port)) connections++;
      this.on('connectionAttempt', (address: string) => {
        if (address !== '127.0.0.1') attempts.push(address);
      });
      return connect.apply(this, given);
    };
    jest.spyOn(Socket.prototype, 'connect').mockImplementation(watched);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => server.close());
  // Disables the log, because the gateway logs every refusal.
  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(true));

  it('are several hundred', () => {
    expect(hosts.length).toBeGreaterThan(330);
    expect(new Set(hosts).size).toBe(hosts.length);
  });

  it('are no targets, however they are written', async () => {
    const reached: string[] = [];
    for (const host of hosts) {
      const upstream = openedUpstream(`http://${host}:${port}/mcp`, { allowedHosts: ['mcp.example.com'] });
      const fault: unknown = await upstream.call('x').catch((error: unknown) => error);
      if ((fault as { reason?: string }).reason !== 'refused') reached.push(`${host}: ${String(fault)}`);
      await upstream.close();
    }
    figure('addresses', { forms: hosts.length, connections: attempts.length + server.heard.length });
    // Only the two spellings of `localhost` open a socket, which is refused once the name is resolved.
    expect([reached, server.heard.length, connections <= 2]).toEqual([[], 0, true]);
  });

  it('are not connected to as targets behind a name', async () => {
    const lookup = jest.spyOn(dns, 'lookup');
    const addresses = [...PRIVATE, ...PRIVATE_6, '::ffff:127.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::'];
    for (const address of addresses) {
      for (const found of [[address], ['93.184.216.34', address], [address, '2606:4700::1111']]) {
        const answers = found.map((one) => ({ address: one, family: one.includes(':') ? 6 : 4 }));
        lookup.mockResolvedValue(answers as never);
        const upstream = openedUpstream(`http://mcp.example.com:${port}/mcp`, { allowedHosts: [] });
        await expect(upstream.call('x')).rejects.toMatchObject({ reason: 'refused' });
        await upstream.close();
      }
    }
    figure('addresses', { forms: addresses.length * 3, connections: attempts.length + server.heard.length });
    expect(attempts).toEqual([]);
    expect([lookup.mock.calls.length >= addresses.length * 3, server.heard]).toEqual([true, []]);
  });

  it('are not where a server leads: redirects, and addresses for messages', async () => {
    const wrong: string[] = [];
    // Leaves out spellings of the server's own address.
    const { origin } = new URL(server.url);
    const others = hosts.filter((host) => new URL(`http://${host}:${port}`).origin !== origin);
    expect(others.length).toBeGreaterThan(300);
    for (const host of others) {
      for (const kind of ['redirect', 'endpoint'] as const) {
        elsewhere = { [kind]: `http://${host}:${port}/elsewhere` };
        connections = 0;
        const transport = kind === 'endpoint' ? 'sse' : 'streamable-http';
        const upstream = openedUpstream(server.url, { transport });
        const fault: unknown = await upstream.call('x').catch((error: unknown) => error);
        await upstream.close();
        if ((fault as { reason?: string }).reason !== 'refused' || connections !== 1)
          wrong.push(`${kind} ${host}: ${connections} connections, ${String(fault)}`);
      }
    }
    const led = server.heard.filter(({ path }) => path !== '/mcp');
    figure('addresses', { forms: others.length * 2, connections: attempts.length + led.length });
    expect([wrong, led, attempts]).toEqual([[], [], []]);
  });

  it('are not where a server leads for a credential: metadata, authorization servers, token endpoints', async () => {
    const { origin } = new URL(server.url);
    const others = hosts.filter((host) => new URL(`https://${host}:${port}`).hostname !== '127.0.0.1');
    const mcp = Object.assign(Object.create(McpSettings.prototype) as McpSettings, {
      allowedHosts: ['127.0.0.1'],
    });
    const protectedBy = (issuer: string): object => ({
      resource: server.url,
      authorization_servers: [issuer],
    });
    const RESOURCE = '/.well-known/oauth-protected-resource/mcp';
    const kinds: Record<string, (address: string) => { lead: typeof elsewhere; from: TokenPlan['from'] }> = {
      'metadata of the resource': (address) => ({
        lead: { challenge: `Bearer resource_metadata="${address}/metadata"` },
        from: { kind: 'issuer', issuer: new URL(origin), server: new URL(server.url) },
      }),
      'metadata of the authorization server': (address) => ({
        lead: { documents: { [RESOURCE]: protectedBy(address) } },
        from: { kind: 'issuer', issuer: new URL(address), server: new URL(server.url) },
      }),
      'token endpoint of the metadata': (address) => ({
        lead: {
          documents: {
            [RESOURCE]: protectedBy(origin),
            '/.well-known/oauth-authorization-server': {
              issuer: origin,
              token_endpoint: `${address}/token`,
              response_types_supported: ['code'],
            },
          },
        },
        from: { kind: 'issuer', issuer: new URL(origin), server: new URL(server.url) },
      }),
      'token endpoint of the secret': (address) => ({
        lead: {},
        from: { kind: 'endpoint', url: new URL(`${address}/token`) },
      }),
    };
    const wrong: string[] = [];
    const heard = new Set<string>();
    const tried = someOf(others, 12);
    for (const host of tried) {
      for (const [kind, lead] of Object.entries(kinds)) {
        for (const scheme of ['https', 'http']) {
          const { lead: led, from } = lead(`${scheme}://${host}:${port}`);
          elsewhere = led;
          const tokens = new TokenEndpoint(
            { apiUrl: 'https://gateway.example', apiPrefix: '/api' } as never,
            mcp,
            {} as never,
            new SystemClock(),
            new AuthorizationServers(mcp),
          );
          const plan: TokenPlan = {
            kind: 'token',
            from,
            clientId: 'c',
            clientSecret: 'canary',
            subject: 'shared',
            parameters: {},
            binding: '',
          };
          const fault: unknown = await tokens.obtain(plan, {} as never).catch((error: unknown) => error);
          if ((fault as Error | undefined)?.name !== 'CredentialFault')
            wrong.push(`${kind} at ${scheme} ${host}: ${String(fault)}`);
        }
      }
    }
    for (const { path, text, headers } of server.heard) {
      heard.add(path);
      if (text.includes('canary') || headers.authorization !== undefined) wrong.push(`a secret at ${path}`);
    }
    const led = [...heard].filter((path) => /metadata$|token$/.test(path));
    figure('addresses', { forms: tried.length * 8, connections: attempts.length + led.length });
    expect(wrong.slice(0, 10)).toEqual([]);
    expect([attempts, led]).toEqual([[], []]);
    // The gateway requested the documents that contain the forbidden addresses.
    expect([...heard]).toEqual(
      expect.arrayContaining(['/mcp', RESOURCE, '/.well-known/oauth-authorization-server']),
    );
  });
});

/**
 * Returns the port from the arguments of `Socket.connect`. Node.js itself passes a list that contains the
 * options. Other callers pass options or numbers.
 */
function portIn([given]: readonly unknown[]): number | undefined {
  const first: unknown = Array.isArray(given) ? given[0] : given;
  const port = typeof first === 'object' && first !== null ? Reflect.get(first, 'port') : first;
  return port === undefined ? undefined : Number(port);
}
