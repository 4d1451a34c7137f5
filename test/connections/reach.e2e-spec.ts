import { type IncomingMessage, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describeDataPath } from '../support/describe';
import { freePort, startGateway } from '../support/gateway';
import { type McpServerKind, startMcpServer } from '../support/mcp/start-mcp-server';
import { secretOf } from '../support/target';

const SETTINGS = { environment: { MCP_ALLOWED_HOSTS: '127.0.0.1' } };

/** TLS modes. They may appear in answers, because the message about TLS names the required mode. */
const SSL_MODES = ['disable', 'require'];

/**
 * Tests the connection test: it connects to the target, reports in plain words, and never shows the secret.
 */
describeDataPath('the test of a connection', SETTINGS, ({ path }) => {
  let server: Server;
  let origin: string;
  let answerWith = 200;
  const asked: { message: IncomingMessage; body: string }[] = [];
  let count = 0;

  beforeAll(async () => {
    server = createServer((message, response) => {
      const one = { message, body: '' };
      asked.push(one);
      message.on('data', (part: Buffer) => (one.body += part.toString()));
      response.writeHead(answerWith, {
        'content-type': 'text/event-stream',
        location: 'http://127.0.0.1:1/',
      });
      response.end();
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(async () => {
    server.closeAllConnections();
    server.close();
  });

  const tested = async (name: string) => {
    const answer = await path.gateway.call('admin', 'GET', `/connections/${name}/test`);
    expect([answer.status, answer.body.duration_ms]).toEqual([200, expect.any(Number)]);
    return [answer.body.success, answer.body.message];
  };
  const mcp = async (secret: object) => {
    const name = `mcp-${++count}`;
    const body = { name, type: 'application', subtype: 'mcpproxy', secret };
    const answer = await path.gateway.call('admin', 'POST', '/connections', body);
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
    return name;
  };

  // promises: CONNECTION-13
  it('of a database', async () => {
    expect(await tested('orders')).toEqual([true, 'The target answers.']);
    expect(await tested(path.connectionId)).toEqual([true, 'The target answers.']);
    const secret = secretOf(path.target);
    await path.target.query(`CREATE ROLE reach_${process.pid} LOGIN PASSWORD 'right'`);
    for (const [change, message] of [
      [{ USER: `reach_${process.pid}`, PASS: 'wr0ng' }, /refused the user or the password/],
      [{ USER: 'n0body', PASS: 'wr0ng' }, /refused the user or the password/],
      [{ DB: 'n0where' }, /does not exist/],
      [{ PORT: String(await freePort()) }, /the connection was refused/],
      [{ HOST: 'n0where.invalid' }, /host name (is unknown|could not be looked up)/],
      [{ SSLMODE: 'require' }, /does not support TLS/],
    ] as const) {
      await path.connect(`database-${++count}`, { secret: { ...secret, ...change } });
      const [success, words] = await tested(`database-${count}`);
      expect([change, success, words]).toEqual([change, false, expect.stringMatching(message)]);
      for (const part of Object.values({ ...secret, ...change }).filter(
        (value) => value.length > 4 && !SSL_MODES.includes(value),
      ))
        expect(words).not.toContain(part);
    }
    await path.target.query(`DROP ROLE reach_${process.pid}`);
  });

  it.each<[McpServerKind, string | undefined]>([
    ['modern', undefined],
    ['legacy', undefined],
    ['dual', 'streamable-http'],
    ['sse', undefined],
    ['sse', 'sse'],
  ])(
    'of an MCP server that is %s: asks what it is, with the headers of the secret',
    async (kind, transport) => {
      const other = await startMcpServer(kind);
      const secret = {
        REMOTE_URL: `${other.url}?x=1`,
        HEADER_Authorization: 'Bearer upstream',
        HEADER_X_Team: 't',
      };
      const name = await mcp({ ...secret, ...(transport === undefined ? {} : { MCP_TRANSPORT: transport }) });
      expect(await tested(name)).toEqual([true, 'The target answers.']);
      expect(other.heard[0]).toMatchObject({
        path: '/mcp?x=1',
        headers: { authorization: 'Bearer upstream', 'x-team': 't' },
      });
      expect(
        other
          .methods()
          .filter((method) => !/^(server\/discover|initialize|notifications\/initialized)$/.test(method)),
      ).toEqual([]);
      await other.close();
    },
  );

  it('of a server that is none of MCP', async () => {
    answerWith = 200;
    expect(await tested(await mcp({ REMOTE_URL: origin }))).toEqual([
      false,
      'The MCP server ended its answer before it was complete.',
    ]);
  });

  // promises: CONNECTION-14
  it.each([
    [401, 'The MCP server refuses the credential (status 401).'],
    [403, 'The MCP server refuses the credential (status 403).'],
    [
      302,
      "The MCP server answered with status 302 and leads to http://127.0.0.1:1/. The gateway follows no redirect: if that is the server's address, write it to REMOTE_URL of the connection.",
    ],
    [500, 'The MCP server answered with status 500.'],
  ])('of an MCP server that answers %i, and follows no redirect', async (status, words) => {
    answerWith = status;
    expect(await tested(await mcp({ REMOTE_URL: origin }))).toEqual([false, words]);
  });

  it('of an MCP server that is not there, or cannot be asked', async () => {
    const words = 'The MCP server could not be reached.';
    expect(await tested(await mcp({ REMOTE_URL: `http://127.0.0.1:${await freePort()}` }))).toEqual([
      false,
      words,
    ]);
    const odd = { REMOTE_URL: origin, HEADER_X: 'a\r\nb: c' };
    expect(await tested(await mcp(odd))).toEqual([false, words]);
  });

  // promises: CONNECTION-14
  it('connects to no private address that is not on the allow-list', async () => {
    const before = asked.length;
    const port = new URL(origin).port;
    for (const host of [
      'localhost',
      '127.0.0.2',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '169.254.169.254',
      '2130706434',
      '0',
    ]) {
      const [success, words] = await tested(await mcp({ REMOTE_URL: `http://${host}:${port}/` }));
      expect([host, success, words]).toEqual([
        host,
        false,
        expect.stringMatching(
          /^The gateway does not connect to this address: .* private\. .* MCP_ALLOWED_HOSTS\.$/,
        ),
      ]);
      expect(words).not.toContain(port);
    }
    const allowed = await mcp({ REMOTE_URL: origin });
    const strict = await startGateway({ beside: path.gateway });
    const answer = await strict.call('admin', 'GET', `/connections/${allowed}/test`);
    await strict.close();
    expect(answer.body).toMatchObject({ success: false, message: expect.stringContaining('is private') });
    expect(asked).toHaveLength(before);
  });

  it('is for admins, of connections that exist', async () => {
    expect((await path.gateway.call('auditor', 'GET', '/connections/orders/test')).status).toBe(403);
    expect((await path.gateway.call('admin', 'GET', '/connections/nope/test')).status).toBe(404);
  });
});
