import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describeScoped } from '../support/describe';
import { type Answer, startGateway } from '../support/gateway';
import { beginLogin, comeBack, signInAt } from '../support/login';
import { OWN_PAGE, beginAtPortal, browserWith, portalCookieIn, signInAtPortal } from '../support/portal';
import { signIn } from '../support/browser-sign-in';
import { ROOT } from '../support/root';

const HTTPS = 'https://gateway.example.com';
/**
 * Blanks that another site of the same domain can put before the name of a cookie. Browsers then do not
 * protect the name, although it begins with a protected prefix such as `__Host-` after the blank.
 */
const LOOK_ALIKE = ['\u00a0', '\u00a0 ', ' \u00a0', '\u0085'];

describeScoped('the cookies of a browser', (begin) => {
  const gateway = begin(() => startGateway());
  const secure = begin(() =>
    startGateway({
      environment: { API_URL: HTTPS },
      provider: { redirectUris: [`${HTTPS}/api/callback`] },
    }),
  );

  // promises: LOGIN-10
  it('are set in two places alone, which know how neighbours are kept out', async () => {
    const setting: string[] = [];
    for (const file of await readdir(join(ROOT, 'src'), { recursive: true }))
      if (/(?<!\.spec)\.ts$/.test(file)) {
        const source = await readFile(join(ROOT, 'src', file), 'utf8');
        if (/\.(cookie|clearCookie)\(|set-cookie/i.test(source)) setting.push(file);
      }
    expect(setting.sort()).toEqual([
      'identity/auth/portal/portal-cookie.ts',
      'identity/auth/sign-in/login-cookie.ts',
    ]);
  });

  it('are for the whole host and from no other one, by https', async () => {
    const names = (answer: Answer): (string | undefined)[] =>
      answer.headers.getSetCookie().map((line) => {
        expect(line).toMatch(/^__Host-\w+=/);
        expect(line).toMatch(/; Path=\/;/);
        expect(line).toMatch(/; Secure/);
        expect(line).not.toMatch(/domain/i);
        return /^__Host-(\w+)=/.exec(line)?.[1];
      });
    for (const path of ['/login', '/login?portal=1', '/pages/device'])
      expect([path, names(await secure.call(null, 'GET', path))]).toEqual([path, ['gateway_login']]);
    expect(names(await signInAt(secure, await beginAtPortal(secure), 'alice'))).toEqual(['gateway']);
    const device = await secure.call(null, 'GET', '/pages/device');
    const login = {
      url: device.headers.get('location') ?? '',
      state: '',
      cookie: device.headers.getSetCookie()[0]?.split(';')[0] ?? '',
    };
    expect(names(await signInAt(secure, login, 'alice'))).toEqual(['gateway_page']);
  });

  // promises: LOGIN-10
  // A neighbor site that could set the cookie would complete its own sign-in in the browser of another user.
  it('count under the protected name alone, by https', async () => {
    const login = await beginAtPortal(secure);
    const { search } = await signIn(login.url, 'bob');
    const tossed = login.cookie.replace('__Host-', '');
    const refused = await comeBack(secure, search, tossed);
    expect([refused.status, portalCookieIn(refused)]).toEqual([400, undefined]);
  });

  it.each(LOOK_ALIKE)('count with no other blanks before their names: %j', async (blank) => {
    for (const at of [gateway, secure]) {
      const { cookie } = await signInAtPortal(at, 'alice');
      const answer = await browserWith(at, `a=b;${blank}${cookie}`).call(
        'GET',
        '/userinfo',
        undefined,
        OWN_PAGE,
      );
      expect(answer.status).toBe(401);
      const login = await beginAtPortal(at);
      const { search } = await signIn(login.url, 'bob');
      expect((await comeBack(at, search, `a=b;${blank}${login.cookie}`)).status).toBe(400);
    }
  });

  it('count alone: a second one of the name was set by somebody else', async () => {
    const login = await beginAtPortal(gateway);
    const { search } = await signIn(login.url, 'bob');
    const two = `gateway_login=${'x'.repeat(43)}; ${login.cookie}`;
    expect((await comeBack(gateway, search, two)).status).toBe(400);
  });

  // promises: LOGIN-4
  it('let sign-ins in several tabs be under way at once', async () => {
    const first = await beginAtPortal(gateway);
    const headers = { cookie: first.cookie };
    const second = await gateway.call(null, 'GET', '/login?portal=1', undefined, headers);
    const third = await gateway.call(null, 'GET', '/pages/device', undefined, headers);
    for (const answer of [second, third])
      expect(answer.headers.getSetCookie()[0]?.split(';')[0]).toBe(first.cookie);
    const urls = [third.headers.get('location'), second.body.login_url, first.url] as string[];
    for (const url of urls) {
      const { search } = await signIn(url, 'alice');
      const answer = await comeBack(gateway, search, first.cookie);
      expect(answer.status).toBe(307);
      // The cookie stays, because the sign-ins in the other tabs need it.
      expect(answer.headers.getSetCookie().filter((line) => line.startsWith('gateway_login'))).toEqual([]);
    }
  });

  it.each(['', 'x', `${'x'.repeat(42)}!`, 'x'.repeat(44)])(
    'that the gateway did not make begin no sign-in: %j',
    async (value) => {
      const headers = { cookie: `gateway_login=${value}` };
      const answer = await gateway.call(null, 'GET', '/login', undefined, headers);
      const [cookie = ''] = answer.headers.getSetCookie();
      expect(cookie).toMatch(/^gateway_login=[\w-]{43};/);
      expect(cookie.startsWith(`gateway_login=${value};`)).toBe(false);
      expect((await beginLogin(gateway)).cookie).not.toBe(cookie.split(';')[0]);
    },
  );
});
