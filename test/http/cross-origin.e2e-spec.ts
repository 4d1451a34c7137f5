import { describeGateway } from '../support/describe';
import { signInAtPortal } from '../support/portal';

const CONSOLE = 'https://console.example.com';
const LOCAL = 'http://localhost:5173';
const STRANGERS = [
  'https://evil.example.com',
  'http://console.example.com',
  'https://console.example.com:8443',
  'https://console.example.com.evil.example',
  'https://CONSOLE.example.com',
  'https://console.example.com/',
  'http://localhost:5174',
  'null',
  '*',
  `${CONSOLE}, https://evil.example.com`,
];

/** The preflight that Chromium sends before a request that is not simple. */
function preflightOf(origin: string, method: string, headers: string): RequestInit {
  return {
    method: 'OPTIONS',
    headers: {
      origin,
      accept: '*/*',
      'access-control-request-method': method,
      'access-control-request-headers': headers,
      'sec-fetch-mode': 'cors',
      'sec-fetch-site': 'cross-site',
      'sec-fetch-dest': 'empty',
    },
  };
}

const corsOf = ({ headers }: Response): string[] =>
  [...headers.keys()].filter((header) => header.startsWith('access-control-'));
const asked = (text: string | null): string[] => (text ?? '').toLowerCase().split(/ *, */);

describeGateway(
  'pages of CORS_ORIGINS',
  { environment: { CORS_ORIGINS: `${CONSOLE}, ${LOCAL}` } },
  ({ gateway }) => {
    const send = (path: string, init: RequestInit): Promise<Response> =>
      fetch(`${gateway.api}${path}`, { redirect: 'manual', ...init });
    const asAdmin = async (origin: string): Promise<Record<string, string>> => ({
      origin,
      authorization: `Bearer ${await gateway.token('admin')}`,
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'cors',
    });

    it.each([CONSOLE, LOCAL])('%s is told what it may do', async (origin) => {
      const answer = await send(
        '/guardrails/x',
        preflightOf(origin, 'PUT', 'authorization,content-type,if-match'),
      );
      expect([answer.status, await answer.text()]).toEqual([204, '']);
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
      expect(asked(answer.headers.get('access-control-allow-methods'))).toContain('put');
      const allowed = asked(answer.headers.get('access-control-allow-headers'));
      expect(allowed).toEqual(expect.arrayContaining(['authorization', 'content-type', 'if-match']));
      expect(answer.headers.get('access-control-max-age')).toBe('600');
      expect(asked(answer.headers.get('vary'))).toContain('origin');
    });

    it('may not send what makes the cookie of the portal a credential, nor any cookie', async () => {
      const answer = await send('/guardrails', preflightOf(CONSOLE, 'POST', 'x-gateway-portal'));
      expect(asked(answer.headers.get('access-control-allow-headers'))).not.toContain('x-gateway-portal');
      expect(answer.headers.get('access-control-allow-headers')).not.toContain('*');
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    });

    it('may read answers and refusals with a token, and their headers', async () => {
      for (const path of ['/serverinfo', '/guardrails', '/sessions']) {
        const answer = await send(path, { headers: await asAdmin(CONSOLE) });
        expect([path, answer.status]).toEqual([path, 200]);
        expect(answer.headers.get('access-control-allow-origin')).toBe(CONSOLE);
        expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
        expect(asked(answer.headers.get('access-control-expose-headers'))).toEqual(
          expect.arrayContaining(['etag', 'location', 'retry-after', 'x-request-id']),
        );
      }
      const refused = await send('/guardrails', { headers: { origin: CONSOLE } });
      expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, CONSOLE]);
      const body = JSON.stringify({ name: 'from a page', input: { rules: [] } });
      const headers = { ...(await asAdmin(CONSOLE)), 'content-type': 'application/json' };
      const made = await send('/guardrails', { method: 'POST', body, headers });
      expect([made.status, made.headers.get('access-control-allow-origin')]).toEqual([201, CONSOLE]);
    });

    it('get headers of their own with answers from memory', async () => {
      const origins = [CONSOLE, LOCAL, STRANGERS[0] ?? '', CONSOLE, undefined, LOCAL];
      const seen: (string | null)[] = [];
      for (const origin of [...origins, ...origins]) {
        const headers = await asAdmin(origin ?? '');
        if (origin === undefined) delete headers['origin'];
        const answer = await send('/attributes', { headers });
        expect(answer.status).toBe(200);
        expect(asked(answer.headers.get('vary'))).toContain('origin');
        seen.push(answer.headers.get('access-control-allow-origin'));
      }
      const expected = [CONSOLE, LOCAL, null, CONSOLE, null, LOCAL];
      expect(seen).toEqual([...expected, ...expected]);
    });

    it.each(STRANGERS)('are not %s: exact origins only', async (origin) => {
      const preflight = await send('/guardrails', preflightOf(origin, 'PUT', 'authorization'));
      expect([preflight.status, corsOf(preflight)]).toEqual([405, []]);
      expect(asked(preflight.headers.get('vary'))).toContain('origin');
      expect(corsOf(await send('/serverinfo', { headers: await asAdmin(origin) }))).toEqual([]);
    });

    it('have no part in the sign-in, in pages and in the documentation', async () => {
      const paths = [
        '/login',
        '/callback',
        '/portal-session',
        '/docs',
        '/oauth/authorize',
        '/pages/reviews/x',
      ];
      for (const path of [...paths, '/LOGIN', '/login/', '/Docs/x']) {
        const preflight = await send(path, preflightOf(CONSOLE, 'GET', 'authorization'));
        expect([path, corsOf(preflight)]).toEqual([path, []]);
      }
      for (const path of paths) {
        const answer = await send(path, { headers: { origin: CONSOLE } });
        expect([path, corsOf(answer)]).toEqual([path, []]);
      }
    });

    it('cannot use the cookie of the portal, from the same site neither', async () => {
      const browser = await signInAtPortal(gateway, 'admin');
      const own = { 'sec-fetch-site': 'same-origin', 'x-gateway-portal': '1' };
      expect((await browser.call('GET', '/userinfo', undefined, own)).status).toBe(200);
      // Another port of the same host is the same site: browsers send a cookie of SameSite=Strict there.
      for (const site of ['same-site', 'cross-site', 'none'])
        for (const method of ['POST', ...(site === 'none' ? [] : ['GET'])]) {
          const headers = { origin: LOCAL, 'sec-fetch-site': site, 'x-gateway-portal': '1' };
          const answer = await browser.call(method, '/guardrails', undefined, headers);
          expect([site, method, answer.status]).toEqual([site, method, 401]);
          expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
        }
      // If a page sends credentials, the browser hides the answer from the page, because this header is
      // missing.
      const read = await browser.call('GET', '/userinfo', undefined, { origin: LOCAL, ...own });
      expect(read.headers.get('access-control-allow-credentials')).toBeNull();
    });
  },
);

describeGateway('pages of other origins, by default', ({ gateway }) => {
  it('get nothing, and caches are told of nothing', async () => {
    const preflight = await fetch(`${gateway.api}/guardrails`, preflightOf(CONSOLE, 'GET', 'authorization'));
    expect([preflight.status, corsOf(preflight)]).toEqual([405, []]);
    const headers = { authorization: `Bearer ${await gateway.token('admin')}`, origin: CONSOLE };
    const answer = await fetch(`${gateway.api}/serverinfo`, { headers });
    expect([answer.status, corsOf(answer)]).toEqual([200, []]);
    expect(asked(answer.headers.get('vary'))).not.toContain('origin');
  });
});
