import { beginMcpPath } from '../support/mcp/mcp-path';
import { MODERN_META } from '../support/mcp/raw-client';
import { startMcpServer } from '../support/mcp/start-mcp-server';
import { scoped } from '../support/scoped';

const INSPECTOR = 'https://inspector.example.com';
const ANY_PORT = 'http://localhost:6274';
const STRANGERS = [
  'https://evil.example.com',
  'http://inspector.example.com',
  'https://inspector.example.com.evil.example',
  'https://inspector.example.com:8443',
  'http://localhost.evil.example:6274',
  'null',
];
const EXPOSED = ['mcp-session-id', 'mcp-protocol-version', 'www-authenticate'];

// promises: CORS-1
describe(
  'pages of other origins',
  scoped((begin) => {
    const path = beginMcpPath(begin, { MCP_ALLOWED_ORIGINS: `${INSPECTOR},http://localhost:*` });
    const server = begin(() => startMcpServer('legacy'));
    let name: string;
    beforeAll(async () => {
      name = await path.connection(server.url);
    });

    const send = (url: string, origin: string, method: string, more: RequestInit = {}) => {
      const { headers, ...rest } = more;
      return fetch(new URL(url, path.gateway.api), { method, ...rest, headers: { ...headers, origin } });
    };
    const preflight = (url: string, origin: string, method: string) =>
      send(url, origin, 'OPTIONS', {
        headers: {
          'access-control-request-method': method,
          'access-control-request-headers': 'authorization,content-type,mcp-session-id,mcp-param-region',
        },
      });
    const corsOf = ({ headers }: Response): string[] =>
      [...headers.keys()].filter((header) => header.startsWith('access-control-'));
    /** Paths that clients need, and their methods. */
    const needed = (): [string, string][] => [
      [`/api/mcp/${name}`, 'POST'],
      [`/api/mcp/${name}`, 'DELETE'],
      ['/api/mcp', 'POST'],
      [`/.well-known/oauth-protected-resource/api/mcp/${name}`, 'GET'],
      ['/.well-known/oauth-authorization-server', 'GET'],
      ['/api/oauth/token', 'POST'],
      ['/api/oauth/register', 'POST'],
      ['/api/oauth/revoke', 'POST'],
    ];

    it.each([INSPECTOR, ANY_PORT])('%s may ask for what clients need', async (origin) => {
      for (const [url, method] of needed()) {
        const { status, headers } = await preflight(url, origin, method);
        expect([url, status, headers.get('access-control-allow-origin')]).toEqual([url, 204, origin]);
        expect(headers.get('access-control-allow-methods')?.split(',')).toContain(method);
        expect(headers.get('access-control-allow-headers')).toBe(
          'authorization,content-type,mcp-session-id,mcp-param-region',
        );
        expect(headers.get('access-control-allow-credentials')).toBeNull();
        expect(headers.get('vary')).toContain('Origin');
      }
    });

    it('may read answers and refusals', async () => {
      const body = JSON.stringify({
        jsonrpc: '2.0',
        id: 0,
        method: 'initialize',
        params: {
          protocolVersion: '2025-11-25',
          capabilities: {},
          clientInfo: { name: 'inspector', version: '1' },
        },
      });
      const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
      const signedIn = { ...headers, authorization: `Bearer ${await path.gateway.token('alice')}` };
      const begun = await send(`/api/mcp/${name}`, INSPECTOR, 'POST', { headers: signedIn, body });
      const refused = await send(`/api/mcp/${name}`, INSPECTOR, 'POST', { headers, body });
      expect([begun.status, refused.status]).toEqual([200, 401]);
      expect(begun.headers.get('mcp-session-id')).not.toBeNull();
      expect(refused.headers.get('www-authenticate')).toContain('resource_metadata=');
      const listening = await send(`/api/mcp/${name}`, INSPECTOR, 'POST', {
        headers: {
          ...signedIn,
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'subscriptions/listen',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'subscriptions/listen',
          params: { notifications: { toolsListChanged: true }, _meta: MODERN_META },
        }),
      });
      expect(listening.headers.get('content-type')).toBe('text/event-stream');
      await listening.body?.cancel();
      const metadata = await send('/.well-known/oauth-authorization-server', INSPECTOR, 'GET');
      expect(await metadata.json()).toHaveProperty('token_endpoint');
      const registered = await send('/api/oauth/register', INSPECTOR, 'POST', {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ redirect_uris: [`${INSPECTOR}/callback`], client_name: 'Inspector' }),
      });
      expect(registered.status).toBe(201);
      const form = await send('/api/oauth/token', INSPECTOR, 'POST', {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'grant_type=authorization_code&code=none',
      });
      expect(await form.json()).toHaveProperty('error');
      for (const answer of [begun, refused, listening, metadata, registered, form]) {
        expect(answer.headers.get('access-control-allow-origin')).toBe(INSPECTOR);
        const exposed = answer.headers.get('access-control-expose-headers')?.toLowerCase().split(',');
        expect(exposed).toEqual(expect.arrayContaining(EXPOSED));
        expect(answer.headers.get('vary')).toContain('Origin');
      }
    });

    it('get nothing where they are not allowed', async () => {
      for (const origin of STRANGERS)
        for (const [url, method] of needed()) {
          expect([origin, url, corsOf(await preflight(url, origin, method))]).toEqual([origin, url, []]);
          const answer = await send(url, origin, method, method === 'POST' ? { body: '{}' } : {});
          expect([origin, url, corsOf(answer)]).toEqual([origin, url, []]);
          // A cache that keeps this answer must not show it to an allowed page.
          expect(answer.headers.get('vary')).toContain('Origin');
          if (url.startsWith('/api/mcp')) expect(answer.status).toBe(403);
        }
    });

    it('get nothing of the API, of pages for people, and of what looks like an endpoint', async () => {
      for (const url of [
        '/',
        '/api/connections',
        '/api/userinfo',
        '/api/openapi.json',
        '/api/mcp-catalog',
        '/api/mcpx',
        '/api/oauth/authorize',
        '/api/oauth/consent',
        '/.well-known/oauth-authorization-serverx',
        '/.well-known/openid-configuration',
      ]) {
        expect([url, corsOf(await preflight(url, INSPECTOR, 'GET'))]).toEqual([url, []]);
        expect([url, corsOf(await send(url, INSPECTOR, 'GET', { redirect: 'manual' }))]).toEqual([url, []]);
      }
    });

    it('and clients that are no pages get none of it', async () => {
      const answer = await fetch(path.endpoint(name), { method: 'POST' });
      expect([answer.status, corsOf(answer)]).toEqual([401, []]);
    });
  }),
);
