import { writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { type Server, createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Browser } from '../support/browser-sign-in';
import { describeProcesses } from '../support/describe';
import { GatewayProcess } from '../support/gateway-process';
import {
  LOOPBACK_URI,
  type McpClient,
  authorizeUrl,
  newVerifier,
  press,
  reachConsent,
  redeem,
  refresh,
} from '../support/mcp-sign-in';
import { makeCertificate } from '../support/tls';

const HOSTED = 'https://app.example.com/cb';

describeProcesses('clients with a metadata document', ({ folder, production }) => {
  let server: Server;
  let gateway: GatewayProcess;
  let answer: RequestListener;
  let asked: string[];

  const documentOf = (id: string, more: object = {}) => ({
    client_id: id,
    client_name: 'Document Client',
    redirect_uris: [LOOPBACK_URI, HOSTED],
    ...more,
  });
  const json =
    (body: (id: string) => unknown, type = 'application/json'): RequestListener =>
    (request, response) =>
      response
        .writeHead(200, { 'content-type': type })
        .end(JSON.stringify(body(`https://${request.headers.host}${request.url}`)));
  /**
   * Number of client metadata documents. It gives each document its own path, because documents are cached.
   */
  let count = 0;
  const client = (redirectUri = LOOPBACK_URI, host = 'localhost'): McpClient => ({
    id: `https://${host}:${(server.address() as AddressInfo).port}/client-${(count += 1)}.json`,
    redirectUri,
    verifier: newVerifier(),
  });

  beforeAll(async () => {
    const { cert, key } = makeCertificate();
    const file = join(folder.path, 'client-ca.pem');
    writeFileSync(file, cert, { mode: 0o644 });
    server = createServer({ cert, key }, (request, response) => {
      asked.push(request.url ?? '');
      answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, resolve));
    gateway = await GatewayProcess.start({
      ...production.variables,
      NODE_EXTRA_CA_CERTS: file,
      MCP_ALLOWED_HOSTS: 'localhost',
      JOURNAL_DIR: join(folder.path, 'journal'),
      LOGINS_PER_MINUTE: '1000',
    });
    const made = await gateway.post('/connections', await production.token(), {
      name: 'linear',
      type: 'application',
      subtype: 'mcpproxy',
      secret: { REMOTE_URL: 'https://mcp.example.com/mcp' },
      access_groups: ['*'],
    });
    expect(made.status).toBe(201);
  });
  afterAll(async () => {
    await gateway.stop();
    await new Promise((resolve) => server.close(resolve));
  });
  beforeEach(() => {
    asked = [];
    answer = json(documentOf);
  });

  // promises: OAUTH-12
  it('are signed in, and their document is fetched only then, and once', async () => {
    const app = client();
    const url = authorizeUrl(gateway, app, 'linear');
    for (let n = 0; n < 5; n++) expect((await new Browser().request(url)).status).toBe(303);
    expect(asked).toEqual([]);

    const browser = new Browser();
    const page = await reachConsent(browser, url, 'alice');
    expect([page.response.status, page.html]).toEqual([200, expect.stringContaining('Document Client')]);
    expect(page.html).toContain(`<dd>${new URL(app.id).host}</dd>`);
    const back = new URL((await press(browser, page, 'allow')).headers.get('location') ?? '');
    const tokens = await redeem(gateway, app, back.searchParams.get('code'));
    expect([tokens.status, tokens.body.scope]).toEqual([200, 'mcp']);
    expect((await refresh(gateway, app, tokens.body.refresh_token)).status).toBe(200);
    expect(asked).toHaveLength(1);
    // The token is valid only at the endpoint of the connection.
    expect((await gateway.get('/userinfo', tokens.body.access_token)).status).toBe(401);
  });

  it('warn of another host than that of the document', async () => {
    const { html } = await reachConsent(
      new Browser(),
      authorizeUrl(gateway, client(HOSTED), 'linear'),
      'alice',
    );
    expect(html).toContain('you return to another address, app.example.com.');
  });

  // promises: OAUTH-4
  it('have the redirect URIs of the document alone', async () => {
    for (const uri of ['https://evil.example.com/cb', 'http://127.0.0.1:3333/other']) {
      const { response } = await reachConsent(
        new Browser(),
        authorizeUrl(gateway, client(uri), 'linear'),
        'alice',
      );
      expect([uri, response.status, response.headers.get('location')]).toEqual([uri, 400, null]);
    }
  });

  const bad: [string, RequestListener][] = [
    ['a client_id of another URL', json((id) => documentOf(`${id}x`))],
    ['no client_id', json(() => documentOf('', { client_id: undefined }))],
    ['no redirect_uris', json((id) => documentOf(id, { redirect_uris: undefined }))],
    [
      'a redirect URI without TLS',
      json((id) => documentOf(id, { redirect_uris: ['http://app.example.com'] })),
    ],
    ['a secret', json((id) => documentOf(id, { client_secret: 'x' }))],
    ['a method with a key', json((id) => documentOf(id, { token_endpoint_auth_method: 'private_key_jwt' }))],
    ['an array', json((id) => [documentOf(id)])],
    ['a page', json(documentOf, 'text/html')],
    ['no JSON', (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{')],
    [
      'bytes that are no UTF-8',
      (_, response) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.from([0xff])),
    ],
    ['too much', json((id) => documentOf(id, { padding: 'x'.repeat(17_000) }))],
    ['404', (_, response) => response.writeHead(404).end()],
    ['201', (_, response) => response.writeHead(201, { 'content-type': 'application/json' }).end('{}')],
    ['nothing', (_, response) => response.destroy()],
    [
      'an answer that never ends',
      (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{'),
    ],
  ];

  // promises: OAUTH-12
  it.each(bad)('are refused in words for a document with %s', async (_, listener) => {
    answer = listener;
    const browser = new Browser();
    const { response, html } = await reachConsent(
      browser,
      authorizeUrl(gateway, client(), 'linear'),
      'alice',
    );
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
    expect(html).toContain('This application could not be checked');
    expect(asked).toHaveLength(1);
  });

  // promises: OAUTH-12
  it('are not followed elsewhere', async () => {
    const good = client();
    for (const [status, location] of [
      [301, good.id],
      [302, good.id],
      [307, '/elsewhere'],
      [302, 'http://169.254.169.254/latest/meta-data'],
    ] as const) {
      asked = [];
      answer = (_, response) => response.writeHead(status, { location }).end();
      const { response } = await reachConsent(
        new Browser(),
        authorizeUrl(gateway, client(), 'linear'),
        'alice',
      );
      expect([location, response.status, asked.length]).toEqual([location, 400, 1]);
    }
  });

  // promises: OAUTH-12
  it('are not fetched from addresses that no setting names', async () => {
    const app = client(LOOPBACK_URI, '127.0.0.1');
    const { response, html } = await reachConsent(
      new Browser(),
      authorizeUrl(gateway, app, 'linear'),
      'alice',
    );
    expect([response.status, asked]).toEqual([400, []]);
    // The answer must not reveal whether a server listens at the private address.
    expect(html).not.toMatch(/private|ECONN|refused/);
  });
});
