import { request as requestHttp, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { describeGateway } from '../support/describe';
import { Browser } from '../support/browser-sign-in';
import {
  type McpClient,
  authorizeUrl,
  makeMcpConnection,
  press,
  reachConsent,
  redeem,
  registerClient,
  whoAt,
} from '../support/mcp-sign-in';

const OPTIONS = { environment: { MCP_OWN_HOSTS: 'agents.internal' } };

describeGateway('MCP clients that reach the gateway by another name', OPTIONS, ({ gateway }) => {
  let client: McpClient;
  const port = () => new URL(gateway.api).port;
  const resourceAt = (host: string) => `http://${host}/api/mcp/linear`;

  beforeAll(async () => {
    await makeMcpConnection(gateway, 'linear');
    client = await registerClient(gateway);
  });

  async function asked(path: string, host: string): Promise<{ answer: IncomingMessage; body: string }> {
    const { hostname } = new URL(gateway.api);
    const sent = requestHttp({ hostname, port: port(), path, method: 'GET', headers: { host } });
    sent.end();
    const answer = await new Promise<IncomingMessage>((resolve, reject) =>
      sent.on('response', resolve).on('error', reject),
    );
    return { answer, body: await text(answer) };
  }

  const own = () => [
    `localhost:${port()}`,
    `[::1]:${port()}`,
    `agents.internal:${port()}`,
    'agents.internal',
  ];

  // promises: OAUTH-15
  it('find metadata of that name, and get tokens for it', async () => {
    for (const host of own()) {
      const refused = await asked('/api/mcp/linear', host);
      expect([host, refused.answer.statusCode, refused.answer.headers['www-authenticate']]).toEqual([
        host,
        401,
        `Bearer scope="mcp", resource_metadata="http://${host}/.well-known/oauth-protected-resource/api/mcp/linear"`,
      ]);
      const { body } = await asked('/.well-known/oauth-protected-resource/api/mcp/linear', host);
      expect(JSON.parse(body)).toMatchObject({
        resource: resourceAt(host),
        authorization_servers: [new URL(gateway.api).origin],
      });
      const browser = new Browser();
      const resource = resourceAt(host);
      const page = await reachConsent(
        browser,
        authorizeUrl(gateway, client, 'linear', { resource }),
        'alice',
      );
      const back = new URL((await press(browser, page, 'allow')).headers.get('location') ?? '');
      const answer = await redeem(gateway, client, back.searchParams.get('code'), { resource });
      expect([host, answer.status]).toEqual([host, 200]);
      expect(await whoAt(gateway, answer.body.access_token, 'linear')).toBe('alice');
    }
  });

  // promises: OAUTH-15
  it('get none for what another program may have', async () => {
    for (const host of [
      'localhost',
      'localhost:1',
      '203.0.113.5',
      `203.0.113.5:${port()}`,
      'agents.internal:1',
      `agents.internal.evil.example:${port()}`,
      `evil.example:${port()}`,
    ]) {
      const url = authorizeUrl(gateway, client, 'linear', { resource: resourceAt(host) });
      const location = (await new Browser().request(url)).headers.get('location') ?? '';
      expect([host, new URL(location).searchParams.get('error')]).toEqual([host, 'invalid_target']);
      const { body } = await asked('/.well-known/oauth-protected-resource/api/mcp/linear', host);
      expect([host, JSON.parse(body).resource]).toEqual([host, `${gateway.api}/mcp/linear`]);
    }
  });
});
