import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describeGateway } from '../support/describe';
import { startGateway } from '../support/gateway';
import { OWN_CHANGE, signInAtPortal } from '../support/portal';
import { ROOT } from '../support/root';

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const POLICY = `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src-elem 'self' 'nonce-NONCE'; style-src-attr 'none'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'`;

describeGateway(
  'the portal, as it is served',
  { environment: { BODY_LIMIT_MB: '3' } },
  ({ gateway, begin }) => {
    const without = begin(() => startGateway({ environment: { PORTAL: 'false' } }));
    const get = (path: string, headers: Record<string, string> = HTML, { api } = gateway) =>
      fetch(new URL(path, api), { headers, redirect: 'manual' });
    const page = async (path = '/') => {
      const answer = await get(path);
      const html = await answer.text();
      const nonce = /name="csp-nonce" content="([^"]+)"/.exec(html)?.[1] ?? '';
      return { answer, html, nonce };
    };

    it('is a page that is kept nowhere, with a policy and a nonce of its own each time', async () => {
      const [first, second] = [await page(), await page('/sessions/of-nobody')];
      for (const { answer, nonce } of [first, second]) {
        expect(answer.status).toBe(200);
        expect(answer.headers.get('cache-control')).toBe('no-store');
        expect(answer.headers.get('content-security-policy')).toBe(POLICY.replace('NONCE', nonce));
      }
      expect(first.nonce).not.toBe(second.nonce);
      expect(first.html).toContain('name="body-limit-mb" content="3"');
    });

    it('has files that never change, compressed as the browser likes it', async () => {
      const { html } = await page();
      const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(html) ?? [];
      for (const encoding of ['br', 'gzip']) {
        const answer = await get(script, { 'accept-encoding': encoding });
        expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, encoding]);
        expect(answer.headers.get('cache-control')).toContain('immutable');
      }
      expect((await get('/assets/of-no-build.js')).status).toBe(404);
    });

    // When a gateway dies, the browser requests the code of a screen again, but not the styles of the screen.
    it('has all styles from the beginning', async () => {
      const { html } = await page();
      const linked = Array.from(html.matchAll(/href="\/assets\/([^"]+\.css)"/g), ([, name]) => name);
      const built = await readdir(join(ROOT, 'dist', 'portal', 'assets'));
      expect(linked.length).toBeGreaterThan(0);
      expect(built.filter((name) => name.endsWith('.css'))).toEqual(linked);
    });

    it('is no answer to programs', async () => {
      for (const accept of ['application/json', '*/*'])
        expect((await get('/sessions', { accept })).status).toBe(404);
    });

    // Nobody is signed in, not even people who signed in before the portal was turned off, or at another
    // gateway.
    it('signs nobody in with PORTAL=false', async () => {
      const beside = await startGateway({ beside: gateway, environment: { PORTAL: 'false' } });
      try {
        const login = await beside.call(null, 'GET', '/login?portal=1');
        expect([login.status, login.body, login.headers.getSetCookie()]).toEqual([
          422,
          { message: 'this gateway has no portal (PORTAL)' },
          [],
        ]);
        const alice = await signInAtPortal(gateway, 'alice');
        for (const [method, path] of [
          ['GET', '/userinfo'],
          ['GET', '/connections'],
          ['GET', '/reviews/stream'],
          ['POST', '/sessions'],
        ] as const) {
          const body = method === 'POST' ? { connection: 'orders', script: 'SELECT 1' } : undefined;
          const answer = await alice.call(method, path, body, OWN_CHANGE, beside);
          expect([path, answer.status]).toEqual([path, 401]);
        }
        expect((await alice.call('GET', '/userinfo')).status).toBe(200);
      } finally {
        await beside.close();
      }
    });

    it('is off with PORTAL=false', async () => {
      const answer = await get('/', HTML, without);
      expect([answer.status, answer.headers.get('location')]).toEqual([302, './api/docs']);
      for (const path of ['/sessions', '/assets/any.js', '/favicon.svg'])
        expect([path, (await get(path, HTML, without)).status]).toEqual([path, 404]);
    });
  },
);
