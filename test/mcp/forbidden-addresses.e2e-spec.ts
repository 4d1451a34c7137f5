import dns from 'node:dns/promises';
import { Socket } from 'node:net';
import { openedUpstream } from '../support/mcp/opened-upstream';
import { type RawServer, startRawServer, stream } from '../support/mcp/raw-server';

/** One address of each range that is nobody's business but ours. */
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

/** All spellings of an IPv4 address that URLs know, and the IPv6 addresses that contain it. */
function spellingsOf(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const number = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = (value: number): string => value.toString(16);
  const octal = (value: number): string => `0${value.toString(8)}`;
  const [high, low] = [hex(a * 256 + b), hex(c * 256 + d)];
  return [
    address,
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    String(number),
    `0x${hex(number)}`,
    `0X${hex(number).toUpperCase()}`,
    octal(number),
    [a, b, c, d].map((part) => `0x${hex(part)}`).join('.'),
    [a, b, c, d].map(octal).join('.'),
    `0x${hex(a)}.${b}.${octal(c)}.${d}`,
    `${address}.`,
    address.replaceAll('.', '%2e'),
    address.replaceAll('.', '。'),
    [...address]
      .map((digit) => (digit === '.' ? digit : String.fromCodePoint(0xff10 + Number(digit))))
      .join(''),
    `user@${address}`,
    `public.example.com@${address}`,
    `[::ffff:${address}]`,
    `[::ffff:${high}:${low}]`,
    `[0:0:0:0:0:ffff:${high}:${low}]`,
    `[::ffff:0:${high}:${low}]`,
    `[::${high}:${low}]`,
    `[64:ff9b::${high}:${low}]`,
    `[64:ff9b:1::${high}:${low}]`,
    `[2002:${high}:${low}::1]`,
    `[2001:0:${high}:${low}::1]`,
  ];
}

// promises: CONNECTION-14
describe('private addresses', () => {
  let server: RawServer;
  let port: string;
  /** Where a server sends the gateway. */
  let elsewhere: { readonly redirect?: string; readonly endpoint?: string } = {};
  const hosts = [
    ...PRIVATE.flatMap(spellingsOf),
    ...PRIVATE_6.map((address) => `[${address}]`),
    'localhost',
    'LOCALHOST',
  ];

  beforeAll(async () => {
    server = await startRawServer((_, response) => {
      if (elsewhere.redirect !== undefined)
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
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => server.close());

  it('are as many as a reader would try', () => {
    expect(hosts.length).toBeGreaterThan(330);
    expect(new Set(hosts).size).toBe(hosts.length);
  });

  it('are no targets, however they are written', async () => {
    const connect = jest.spyOn(Socket.prototype, 'connect');
    const reached: string[] = [];
    for (const host of hosts) {
      const upstream = openedUpstream(`http://${host}:${port}/mcp`, { allowedHosts: ['mcp.example.com'] });
      const fault: unknown = await upstream.call('x').catch((error: unknown) => error);
      if ((fault as { reason?: string }).reason !== 'refused') reached.push(`${host}: ${String(fault)}`);
      await upstream.close();
    }
    // A name is looked up by the socket, and is refused before there is a connection.
    expect([reached, server.heard.length, connect.mock.calls.length <= 2]).toEqual([[], 0, true]);
  });

  it('are no targets behind a name', async () => {
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
    expect([lookup.mock.calls.length >= addresses.length * 3, server.heard]).toEqual([true, []]);
  });

  it('are not where a server leads: redirects, and addresses for messages', async () => {
    const connect = jest.spyOn(Socket.prototype, 'connect');
    const wrong: string[] = [];
    // Some spellings mean the address of the server itself.
    const { origin } = new URL(server.url);
    const others = hosts.filter((host) => new URL(`http://${host}:${port}`).origin !== origin);
    expect(others.length).toBeGreaterThan(300);
    for (const host of others) {
      for (const kind of ['redirect', 'endpoint'] as const) {
        elsewhere = { [kind]: `http://${host}:${port}/elsewhere` };
        const before = connect.mock.calls.length;
        const transport = kind === 'endpoint' ? 'sse' : 'streamable-http';
        const upstream = openedUpstream(server.url, { transport });
        const fault: unknown = await upstream.call('x').catch((error: unknown) => error);
        await upstream.close();
        const connections = connect.mock.calls.length - before;
        if ((fault as { reason?: string }).reason !== 'refused' || connections !== 1)
          wrong.push(`${kind} ${host}: ${connections} connections, ${String(fault)}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(server.heard.filter(({ path }) => path !== '/mcp')).toEqual([]);
  });
});
