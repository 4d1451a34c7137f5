import { scoped } from '../support/scoped';
import { startGateway } from '../support/gateway';

/** The Accept header of a browser. */
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe(
  'addresses that are no pages of the portal',
  scoped((begin) => {
    const gateway = begin(() => startGateway());
    const answerTo = (path: string): Promise<Response> =>
      fetch(new URL(path, gateway.api), { headers: BROWSER, redirect: 'manual' });

    it('is the page elsewhere', async () => {
      const answer = await answerTo('/no/such/page');
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
      expect(await answer.text()).toContain('<div id="root">');
    });

    // These paths must not return the portal's page, because a program would mistake it for its answer.
    it.each([
      '/.well-known/no-such-thing',
      '/.well-known',
      '/.WELL-KNOWN/oauth-protected-resource/api/mcp/no-such-connection',
      '/api/no-such-route',
      '/API/no-such-route',
    ])('%s has no page', async (path) => {
      const answer = await answerTo(path);
      expect(answer.status).toBe(404);
      expect(answer.headers.get('content-type')).toMatch(/json/);
    });

    it('metadata of the authorization server is read by a browser as well', async () => {
      const answer = await answerTo('/.well-known/oauth-authorization-server');
      expect(answer.status).toBe(200);
      expect(await answer.json()).toHaveProperty('issuer');
    });
  }),
);
