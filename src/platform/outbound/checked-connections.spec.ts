import dns from 'node:dns/promises';
import { once } from 'node:events';
import { type Server, createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as soon } from 'node:timers/promises';
import { ForbiddenAddress } from './checked-address';
import { CheckedConnections } from './checked-connections';

const NAME = 'mcp.example.com';

describe('kept connections', () => {
  let server: Server;
  let port: number;
  let connections: number;
  let looked: string[];
  /** Addresses that the name servers return at present. */
  let addresses: string[];
  const opened: CheckedConnections[] = [];

  beforeEach(async () => {
    [connections, looked, addresses] = [0, [], ['127.0.0.1']];
    jest.spyOn(dns, 'lookup').mockImplementation(((host: string) => {
      looked.push(host);
      return Promise.resolve(
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    }) as unknown as typeof dns.lookup);
    server = createServer((request, response) => response.end(request.url)).on(
      'connection',
      () => (connections += 1),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });

  afterEach(() => {
    jest.restoreAllMocks();
    for (const one of opened.splice(0)) one.close();
    server.close();
    server.closeAllConnections();
  });

  function held(allowed: string[]): CheckedConnections {
    const made = new CheckedConnections(allowed);
    opened.push(made);
    return made;
  }

  function ask(from: CheckedConnections, host: string): Promise<number> {
    const url = new URL(`http://${host}:${port}/`);
    return new Promise((resolve, reject) => {
      const agent = from.agentFor(url);
      get(url, { agent }, (response) =>
        response.resume().on('close', () => resolve(response.statusCode ?? 0)),
      ).on('error', reject);
    });
  }

  it('are used again, without another look-up', async () => {
    const from = held([NAME]);
    for (let n = 0; n < 5; n++) expect(await ask(from, NAME)).toBe(200);
    expect([connections, looked]).toEqual([1, [NAME]]);
  });

  it('are refused to private addresses, also when the name meant a public one before', async () => {
    const from = held([]);
    await expect(ask(from, NAME)).rejects.toThrow(ForbiddenAddress);
    addresses = ['2606:4700::1111', '127.0.0.1'];
    await expect(ask(from, NAME)).rejects.toThrow(ForbiddenAddress);
    expect([connections, looked]).toEqual([0, [NAME, NAME]]);
  });

  it('are not shared with a holder whose allow-list lacks the host', async () => {
    const [allowed, other] = [held([NAME]), held([])];
    expect(await ask(allowed, NAME)).toBe(200);
    await expect(ask(other, NAME)).rejects.toThrow(ForbiddenAddress);
    expect(await ask(allowed, NAME)).toBe(200);
    expect(connections).toBe(1);
  });

  it('are opened to what the name means and is checked then, once the old ones are gone', async () => {
    const from = held([NAME]);
    expect(await ask(from, NAME)).toBe(200);
    server.closeAllConnections();
    const agent = from.agentFor(new URL(`http://${NAME}`));
    while (Object.keys(agent.freeSockets).length > 0) await soon();
    addresses = ['127.0.0.2'];
    // The server listens only at 127.0.0.1, so other addresses refuse the connection.
    await expect(ask(from, NAME)).rejects.toThrow(/ECONNREFUSED/);
    expect([connections, looked]).toEqual([1, [NAME, NAME]]);
  });

  it('are refused to addresses in a URL before there is a request', async () => {
    for (const host of ['127.0.0.1', '127.1', '0x7f000001', '[::1]', '[::ffff:7f00:1]', '169.254.169.254'])
      expect(() => held([]).agentFor(new URL(`http://${host}/`))).toThrow(ForbiddenAddress);
    expect(await ask(held(['127.0.0.1']), '127.0.0.1')).toBe(200);
    expect(() => held(['127.0.0.1']).agentFor(new URL('http://127.0.0.2/'))).toThrow(ForbiddenAddress);
    expect(looked).toEqual([]);
  });
});
