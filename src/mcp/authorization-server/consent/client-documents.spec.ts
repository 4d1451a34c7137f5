import type { McpSettings } from '../../../platform/config/groups';
import { type Server, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { ClientDocuments, isDocumentUrl } from './client-documents';

/** Ways to write addresses of this machine, of private networks and of metadata services. */
const HOSTS = [
  '127.0.0.1',
  '127.1.2.3',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '0',
  '0.0.0.0',
  'localhost',
  'LOCALHOST',
  'localhost.',
  '127.0.0.1.',
  '１２７.0.0.1',
  '127。0。0。1',
  '%31%32%37.0.0.1',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[fe80::1]',
  '[fc00::1]',
  '[fec0::1]',
  '10.0.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '192.168.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '[fd00:ec2::254]',
];
const USERS = ['', 'user@', 'app.example.com@', ':@'];
const PATHS = ['/client.json', '/../client.json', '/client.json#x', '/client.json?x=1'];

describe('metadata documents of clients', () => {
  let server: Server;
  let connections = 0;
  let port = 0;

  beforeAll(async () => {
    server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '::', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  // promises: OAUTH-12
  it('are not fetched from private addresses, however these are written', async () => {
    const documents = new ClientDocuments({ allowedHosts: [] } as unknown as McpSettings);
    let forms = 0;
    for (const host of HOSTS)
      for (const user of USERS)
        for (const path of PATHS) {
          const url = `https://${user}${host}:${port}${path}`;
          forms += 1;
          if (!isDocumentUrl(url)) continue;
          await expect(documents.find(url)).rejects.toThrow(/could not be read, or is not valid\.( |$)/);
        }
    console.info(JSON.stringify({ forms, connections }));
    expect(forms).toBeGreaterThanOrEqual(500);
    expect(connections).toBe(0);
  });

  it.each([
    'https://app.example.com/client.json',
    'https://app.example.com:8443/a/b?v=1',
    'https://xn--bcher-kva.example/client.json',
  ])('may be at %s', (url) => expect(isDocumentUrl(url)).toBe(true));

  it.each([
    'http://app.example.com/client.json',
    'https://app.example.com',
    'https://app.example.com/',
    'https://app.example.com/a/../client.json',
    'https://app.example.com/a/%2e%2e/client.json',
    'https://app.example.com/./client.json',
    'https://app.example.com/client.json#',
    'https://user@app.example.com/client.json',
    'https://:@app.example.com/client.json',
    'https://APP.example.com/client.json',
    'https://app.example.com:443/client.json',
    'https://bücher.example/client.json',
    'https:\\\\app.example.com\\client.json',
    ' https://app.example.com/client.json',
    'https://app.example.com/client.json\n',
    `https://app.example.com/${'x'.repeat(2_048)}`,
    'file:///etc/passwd',
    'gwa_x',
    '',
  ])('may not be at %s', (url) => expect(isDocumentUrl(url)).toBe(false));
});
