import { describeGateway } from '../support/describe';
import type { Answer } from '../support/gateway';

const PORTAL = 'https://portal.example.com';
const API = 'https://gateway.example.com:8443';

const SETTINGS = {
  environment: {
    API_URL: API,
    LOGIN_REDIRECTS: `${PORTAL}, http://localhost:*, https://other.example.com:444`,
  },
};

/**
 * Redirect targets that `/login` accepts: the API's origin, a loopback port, and the origins of
 * LOGIN_REDIRECTS.
 */
describeGateway('the redirect of a sign-in', SETTINGS, ({ gateway }) => {
  const login = (redirect: string): Promise<Answer> =>
    gateway.call(null, 'GET', `/login?redirect=${encodeURIComponent(redirect)}`);
  const storedRedirects = async (): Promise<string[]> =>
    (await gateway.database.query<{ redirect: string }>('SELECT redirect FROM login_states')).map(
      (row) => row.redirect,
    );

  beforeEach(() => gateway.database.query('DELETE FROM login_states'));

  // promises: LOGIN-2
  it.each([
    ['', `${API}/api/docs`],
    [`?redirect=${encodeURIComponent(`${API}/anywhere?x=1`)}`, `${API}/anywhere?x=1`],
    ['?redirect=http://127.0.0.1:1/', 'http://127.0.0.1:1/'],
    ['?redirect=http://127.0.0.1:65535/callback', 'http://127.0.0.1:65535/callback'],
    ['?redirect=http://127.0.0.1', 'http://127.0.0.1/'],
    [`?redirect=${PORTAL}`, `${PORTAL}/`],
    [`?redirect=${PORTAL}:443/path`, `${PORTAL}/path`],
    ['?redirect=https://other.example.com:444/', 'https://other.example.com:444/'],
    ['?redirect=http://localhost:4200/signed-in', 'http://localhost:4200/signed-in'],
    // The case of scheme and host does not matter. The browser gets the URL in the form that was checked.
    ['?redirect=HTTPS://Portal.EXAMPLE.com/Path', `${PORTAL}/Path`],
    [`?redirect=${PORTAL}/%252F%252Fevil.example.com/..%252f`, `${PORTAL}/%2F%2Fevil.example.com/..%2f`],
  ])('/login%s is accepted', async (query, stored) => {
    const answer = await gateway.call(null, 'GET', `/login${query}`);
    expect([answer.status, Object.keys(answer.body)]).toEqual([200, ['login_url']]);
    expect(await storedRedirects()).toEqual([stored]);
    expect(answer.headers.getSetCookie()[0]).toContain('; Secure');
  });

  // promises: LOGIN-2
  it.each([
    // another origin
    'https://evil.example.com/',
    `${PORTAL}.evil.example.com/`,
    'https://evilportal.example.com/',
    `https://example.com/`,
    `${PORTAL}:444/`,
    'http://portal.example.com/',
    'https://other.example.com/',
    'https://127.0.0.1:3587/',
    'http://127.0.0.2:3587/',
    'http://[::1]:3587/',
    'https://localhost/',
    'http://gateway.example.com:8443/',
    'https://gateway.example.com/',
    `${PORTAL}./`,
    // not an absolute URL, or with backslashes
    '/',
    '/docs',
    '//evil.example.com',
    '///evil.example.com',
    'portal.example.com',
    '\\\\evil.example.com',
    '/\\evil.example.com',
    `${PORTAL}\\@evil.example.com`,
    `${PORTAL}\\.evil.example.com`,
    `https:\\\\portal.example.com`,
    // with user information (user:password@)
    `${PORTAL}@evil.example.com/`,
    'https://portal.example.com:443@evil.example.com/',
    'https://user@portal.example.com/',
    'https://user:secret@portal.example.com/',
    // other schemes
    'javascript:alert(1)',
    'javascript://portal.example.com/%0aalert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'ftp://portal.example.com/',
    'blob:https://portal.example.com/x',
    'ws://127.0.0.1:3587/',
    'myapp://callback',
    // look-alikes and hidden characters
    'https://p\u043ertal.example.com/',
    'https://portal.example\u3002com.evil.example.com/',
    'https://xn--portal-example.com/',
    `${PORTAL}\t/`,
    `\t${PORTAL}/`,
    `https://por\ntal.example.com/`,
    `${PORTAL}/\r\nset-cookie: a=b`,
    `${PORTAL}/\0`,
    ` ${PORTAL}/`,
    `${PORTAL}/ `,
    `\u00a0${PORTAL}/`,
    'https%3A%2F%2Fportal.example.com/',
    'https://portal.example.com%2eevil.example.com/',
    'https://portal.example.com%2f@evil.example.com/',
    'https://portal.example.com%252f.evil.example.com/',
    // with a fragment, where the gateway would put the token
    `${PORTAL}/#`,
    `${PORTAL}/#access_token=planted`,
    // not a URL
    'https://',
    'https://:443/',
    'http://127.0.0.1:99999/',
    `${PORTAL}/${'x'.repeat(2_048)}`,
  ])('%j is 422', async (redirect) => {
    const answer = await login(redirect);
    expect([answer.status, answer.body]).toEqual([422, { message: expect.stringContaining('redirect') }]);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await storedRedirects()).toEqual([]);
  });

  it('without a value is 400', async () => {
    const answer = await login('');
    expect([answer.status, answer.body]).toEqual([
      400,
      { message: 'the query parameter redirect has no value' },
    ]);
    expect(await storedRedirects()).toEqual([]);
  });

  it.each(['?redirect=a&redirect=b', '?redirect[x]=a', '?to=x'])('/login%s is 400', async (query) => {
    const answer = await gateway.call(null, 'GET', `/login${query}`);
    expect([answer.status, answer.body]).toEqual([400, { message: expect.any(String) }]);
  });
});
