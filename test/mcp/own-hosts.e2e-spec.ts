import { type IncomingMessage, request as requestHttp } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { type McpPath, beginMcpPath } from '../support/mcp/mcp-path';
import { MODERN_META } from '../support/mcp/raw-client';
import { startMcpServer } from '../support/mcp/start-mcp-server';
import { scoped } from '../support/scoped';

const BODY = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: MODERN_META } });

/** Sends `tools/list` with these headers. Returns the status, and the text of a refusal. */
async function list(
  path: McpPath,
  endpoint: string,
  headers: Record<string, string>,
): Promise<{ status: number | undefined; words: string | undefined }> {
  const sent = requestHttp(endpoint, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await path.gateway.token('alice')}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/list',
      ...headers,
    },
  });
  sent.end(BODY);
  const answer = await new Promise<IncomingMessage>((resolve, reject) =>
    sent.on('response', resolve).on('error', reject),
  );
  const { error } = JSON.parse(await text(answer)) as { error?: { message: string } };
  return { status: answer.statusCode, words: error?.message };
}

const REFUSED = { status: 403, words: expect.stringMatching(/^(?!.*evil).*host .*MCP_OWN_HOSTS/) };
const TAKEN = { status: 200, words: undefined };

// promises: CORS-2
describe(
  'an MCP endpoint',
  scoped((begin) => {
    const plain = beginMcpPath(begin, { MCP_OWN_HOSTS: 'Agents.Internal' });
    const proxied = beginMcpPath(begin, { MCP_OWN_HOSTS: 'agents.internal', TRUST_PROXY: '1' });
    const server = begin(() => startMcpServer('modern'));
    const endpoints = async (path: McpPath): Promise<string[]> => {
      const name = await path.connection(server.url);
      return [path.endpoint(name), `${path.gateway.api}/mcp`];
    };
    const port = (path: McpPath): string => new URL(path.gateway.api).port;

    it('refuses a name that a page made the browser take for the gateway', async () => {
      for (const endpoint of await endpoints(plain))
        for (const host of [
          'evil.example',
          `evil.example:${port(plain)}`,
          'localhost.evil.example',
          'agents.internal.evil.example',
        ])
          expect([host, await list(plain, endpoint, { host })]).toEqual([host, REFUSED]);
      const heard = server.heard.length;
      const [endpoint = ''] = await endpoints(plain);
      // The Origin is an accepted one, but the Host is not, so the request is refused.
      const forged = { host: 'evil.example', origin: new URL(plain.gateway.api).origin };
      expect(await list(plain, endpoint, { ...forged, 'x-forwarded-host': 'localhost' })).toEqual(REFUSED);
      expect(server.heard.length).toBe(heard);
    });

    it('takes its own names, localhost and addresses, with any port', async () => {
      for (const endpoint of await endpoints(plain))
        for (const host of [
          '127.0.0.1',
          'localhost:1',
          '[::1]:8009',
          '10.1.2.3',
          'AGENTS.internal.',
          'agents.internal:443',
        ])
          expect([host, await list(plain, endpoint, { host })]).toEqual([host, TAKEN]);
    });

    it('reads X-Forwarded-Host beside Host, where a proxy is trusted, and never in its place', async () => {
      for (const endpoint of await endpoints(proxied)) {
        const asked = (host: string, forwarded: string) =>
          list(proxied, endpoint, { host, 'x-forwarded-host': forwarded });
        expect(await asked('agents.internal:8009', 'localhost')).toEqual(TAKEN);
        expect(await asked('agents.internal:8009', 'localhost, agents.internal')).toEqual(TAKEN);
        expect(await asked('agents.internal:8009', 'evil.example')).toEqual(REFUSED);
        expect(await asked('agents.internal:8009', 'localhost, evil.example')).toEqual(REFUSED);
        expect(await asked('evil.example', 'localhost')).toEqual(REFUSED);
      }
      const [endpoint = ''] = await endpoints(plain);
      expect(await list(plain, endpoint, { 'x-forwarded-host': 'evil.example' })).toEqual(TAKEN);
    });

    it('refuses a request without Host, and leaves probes and metadata alone', async () => {
      const [endpoint = ''] = await endpoints(plain);
      const status = async (lines: string[]): Promise<string> => {
        const socket = connect(Number(port(plain)), '127.0.0.1');
        socket.end(`${lines.join('\r\n')}\r\n\r\n`);
        return (await text(socket)).split(' ')[1] ?? '';
      };
      const { pathname } = new URL(endpoint);
      expect(await status([`GET ${pathname} HTTP/1.0`])).toBe('403');
      expect(await status([`GET ${pathname} HTTP/1.1`, 'Connection: close'])).toBe('400');
      expect(await status(['GET /api/healthz HTTP/1.0'])).toBe('200');
      expect(await status(['GET /api/healthz HTTP/1.1', 'Host: pod-7', 'Connection: close'])).toBe('200');
      const metadata = `/.well-known/oauth-protected-resource${pathname}`;
      expect(await status([`GET ${metadata} HTTP/1.1`, 'Host: pod-7', 'Connection: close'])).toBe('200');
    });
  }),
);
