import * as fc from '../../../../test/support/fast-check';
import { isAllowedRedirect, isCommandLine } from './redirects';

const PORTAL = 'https://portal.example.com';
const ALLOWED = [PORTAL, 'http://127.0.0.1:*', 'http://[::1]:9000'];

const isAllowed = (redirect: string) => isAllowedRedirect(redirect, ALLOWED);

describe('isAllowedRedirect', () => {
  it.each([
    `${PORTAL}/a?b=c`,
    `${PORTAL}:443/`,
    'http://127.0.0.1:1/',
    'http://127.0.0.1/',
    'http://[::1]:9000/x',
  ])('allows %s', (redirect) => expect(isAllowed(redirect)).toBe(true));

  it.each([
    `${PORTAL}:8443/`,
    'http://[::1]:9001/',
    'https://127.0.0.1:1/',
    `${PORTAL}\\.evil.example.com`,
    `${PORTAL}@evil.example.com`,
    `//portal.example.com`,
    'https:portal.example.com',
    'https:/portal.example.com/',
    'http:127.0.0.1:9000/',
    `${PORTAL}/#`,
    `${PORTAL}/\u007f`,
  ])('refuses %j', (redirect) => expect(isAllowed(redirect)).toBe(false));

  it('allows nothing when the list is empty, or holds no origin', () => {
    for (const list of [[], ['portal.example.com'], ['*'], ['https://*'], [':*'], ['']])
      expect(isAllowedRedirect(`${PORTAL}/`, list)).toBe(false);
  });

  const hostile = fc.array(
    fc.oneof(
      fc.constantFrom(
        'http',
        'https',
        'javascript',
        ':',
        '/',
        '//',
        '\\',
        '@',
        '#',
        '?',
        '.',
        '%2f',
        '%252f',
        '%00',
      ),
      fc.constantFrom(
        'portal.example.com',
        'evil.test',
        '127.0.0.1',
        '::1',
        '[',
        ']',
        ':443',
        ':9000',
        '\t',
        '\r\n',
      ),
      fc.string({ maxLength: 3, unit: 'binary' }),
    ),
    { maxLength: 8 },
  );
  const pieces = fc.tuple(fc.constantFrom('', PORTAL, 'http://127.0.0.1:', 'https://'), hostile);

  it('whatever is allowed leads, as browsers parse it, to an allowed origin', () => {
    fc.assert(
      fc.property(pieces, ([start, rest]) => {
        const redirect = start + rest.join('');
        if (!isAllowed(redirect)) return;
        // A browser resolves the redirect against the address of the current page.
        const url = new URL(redirect, 'https://gateway.example.com/api/callback');
        const isLoopback = url.protocol === 'http:' && url.hostname === '127.0.0.1';
        expect(isLoopback || [PORTAL, 'http://[::1]:9000'].includes(url.origin)).toBe(true);
        expect([url.username, url.password, url.hash]).toEqual(['', '', '']);
        expect(redirect).toMatch(/^https?:/i);
      }),
      { numRuns: 2_000 },
    );
  });

  it('any path and query of an allowed origin is allowed', () => {
    fc.assert(
      fc.property(fc.webPath(), fc.webQueryParameters(), (path, query) => {
        expect(isAllowed(`${PORTAL}${path}?${query}`)).toBe(true);
      }),
      {
        examples: [
          ['', ''],
          ['//', '?'],
          ['/../.', '=&='],
          ['/:@', '/'],
        ],
      },
    );
  });

  it('no other host is', () => {
    fc.assert(
      fc.property(fc.webUrl({ validSchemes: ['http', 'https'] }), (url) => {
        expect(isAllowed(url)).toBe(new URL(url).origin === PORTAL);
      }),
    );
  });
});

describe('isCommandLine', () => {
  it.each([
    ['http://127.0.0.1:3587/callback', 'https://gateway.example.com', true],
    ['http://127.0.0.1:3587/callback', 'http://127.0.0.1:8009', true],
    ['http://127.0.0.1:8009/api/docs', 'http://127.0.0.1:8009', false],
    ['https://gateway.example.com/api/docs', 'https://gateway.example.com', false],
    ['http://localhost:3587/', 'https://gateway.example.com', false],
  ])('%s of %s: %p', (redirect, apiUrl, expected) => {
    expect(isCommandLine(redirect, apiUrl)).toBe(expected);
  });
});
