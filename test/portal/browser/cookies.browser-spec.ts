import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import {
  type Visitor,
  describeInBrowser,
  reportFaults,
  startChromium,
  itInWholeBrowser,
  startChromiumIn,
  visit,
} from '../../support/chromium';
import { type DataPath, startDataPath } from '../../support/data-path';
import { eventually } from '../../support/eventually';
import type { Person } from '../../support/gateway';
import { expectSoon } from '../../support/portal/expect-soon';
import { accountOf } from '../../support/portal/journeys';

/** Tests the sign-in with wrong cookies, without cookies, and in several tabs of one browser. */
describeInBrowser('the sign-in at the portal', () => {
  let browser: Browser;
  let path: DataPath;
  let opened: BrowserContext[] = [];
  let faults: string[] = [];

  beforeAll(async () => {
    [browser, path] = await Promise.all([startChromium(), startDataPath()]);
  });
  afterEach(async () => {
    await Promise.all(opened.map((context) => context.close()));
    expect(faults).toEqual([]);
    [opened, faults] = [[], []];
  });
  afterAll(async () => {
    await browser.close();
    await path.close();
  });

  const address = (at: string): string => new URL(at, path.gateway.api).href;
  const open = async (person: Person, at = '/'): Promise<Visitor> => {
    const visitor = await visit(browser, path.gateway, person, at);
    opened.push(visitor.page.context());
    reportFaults(visitor.page, faults);
    await visitor.page.getByRole('navigation').waitFor();
    return visitor;
  };
  const welcome = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
  };
  const signIn = async (page: Page, person: Person): Promise<void> => {
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await accountOf(page, person).click();
    await page.waitForURL(`${new URL(path.gateway.api).origin}/**`);
  };

  // promises: PORTAL-3
  it('is asked for again where its cookie was revoked, and the page stays', async () => {
    const { page } = await open('alice', '/run?connection=orders');
    await page.getByLabel('Reason').fill('typed before');
    await path.gateway.database.query('DELETE FROM portal_sessions');
    const again = page.getByRole('button', { name: 'Sign in again' });
    await eventually('the end', async () => {
      if ((await again.count()) > 0) return true;
      // Ignores failures of these actions, because a dialog may cover the page at any moment.
      const script = page.getByRole('textbox', { name: 'SQL', exact: true });
      const check = page.getByRole('button', { name: 'Check', exact: true });
      await script.fill('SELECT 1', { timeout: 1_000 }).catch(() => undefined);
      await check.click({ timeout: 1_000 }).catch(() => undefined);
      return false;
    });
    await expectSoon(() => page.getByLabel('Reason').inputValue(), 'typed before');
    await page.reload();
    await welcome(page);
  });

  // promises: PORTAL-2
  it.each([
    ['that nobody was given', 'x'.repeat(43)],
    ['that is none', 'alice'],
    ['with the name of somebody', Buffer.from('{"sub":"admin"}').toString('base64url')],
  ])('is none with a cookie %s', async (_what, value) => {
    const context = await browser.newContext();
    opened.push(context);
    await context.addCookies([{ name: 'gateway', value, url: address('/') }]);
    const page = await context.newPage();
    reportFaults(page, faults);
    await page.goto(address('/sessions'));
    await welcome(page);
    // The wrong cookie does not prevent a sign-in.
    await signIn(page, 'alice');
    await page.getByRole('heading', { name: 'My sessions' }).waitFor();
  });

  // promises: PORTAL-2
  it('is none with two cookies, and the page says what to do', async () => {
    const { page } = await open('alice', '/connections');
    const { hostname } = new URL(path.gateway.api);
    await page
      .context()
      .addCookies([{ name: 'gateway', value: 'x'.repeat(43), domain: hostname, path: '/api' }]);
    await page.reload();
    await welcome(page);
    await signIn(page, 'alice');
    await page.getByRole('alert').getByText('the browser has two cookies of the portal').waitFor();
    await page.context().clearCookies({ path: '/api' });
    await page.reload();
    await page.getByRole('link', { name: 'orders' }).waitFor();
  });

  itInWholeBrowser('says what is missing where the browser keeps no cookies', async () => {
    const profile = await mkdtemp(join(tmpdir(), 'chromium-'));
    await mkdir(join(profile, 'Default'));
    const settings = { profile: { default_content_setting_values: { cookies: 2 } } };
    await writeFile(join(profile, 'Default', 'Preferences'), JSON.stringify(settings));
    const context = await startChromiumIn(profile);
    const page = await context.newPage();
    reportFaults(page, faults);
    await page.goto(address('/sessions'));
    await page.getByRole('alert').getByText('This browser keeps no cookies for this page').waitFor();
    await context.close();
    await rm(profile, { recursive: true, force: true });
  });

  it.each([
    '/connections?redirect=https%3A%2F%2Fevil.example%2F&next=//evil.example',
    '/signed-in?redirect=javascript:alert(1)',
    '//evil.example/connections',
    '/%2F%2Fevil.example/%5C%5Cevil.example',
    '/#https://evil.example/',
  ])('leads nowhere else, whatever the address says: %s', async (at) => {
    const context = await browser.newContext();
    opened.push(context);
    const page = await context.newPage();
    reportFaults(page, faults);
    const { origin } = new URL(path.gateway.api);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).origin));
    await page.goto(`${origin}${at}`);
    if (at.startsWith('/signed-in')) {
      await page.getByText('You are signed in').waitFor();
      return;
    }
    const button = page.getByRole('button', { name: 'Sign in', exact: true });
    await button.or(page.getByText('This page does not exist')).waitFor();
    if ((await button.count()) > 0) {
      await signIn(page, 'alice');
      await page.getByRole('navigation').waitFor();
    }
    expect(new URL(page.url()).origin).toBe(origin);
    const own = [origin, new URL(path.gateway.provider.issuer).origin];
    expect(asked.filter((one) => !own.includes(one))).toEqual([]);
  });

  /** In another tab of the same browser, signs out and signs in as another user. Returns that tab. */
  const become = async (page: Page, person: Person, prepare?: string): Promise<Page> => {
    const other = await page.context().newPage();
    reportFaults(other, faults);
    if (prepare !== undefined) await other.addInitScript(prepare);
    await other.goto(address('/connections'));
    await other.getByRole('button', { name: 'Sign out' }).click();
    await welcome(other);
    await signIn(other, person);
    await other.getByRole('link', { name: 'orders' }).waitFor();
    return other;
  };
  /** Script that stops messages between tabs, as if the other tabs were hidden or asleep. */
  const TELLS_NOTHING = 'BroadcastChannel.prototype.postMessage = () => undefined';
  const saysThatBobIsIn = (page: Page): Promise<void> =>
    page.getByRole('dialog').getByText('Bob Operator signed in at this browser').waitFor();

  // promises: PORTAL-8
  it('of somebody else in another tab is not used by the page of the first person', async () => {
    const { page: alices } = await open('alice', '/run?connection=orders');
    const script = alices.getByRole('textbox', { name: 'SQL', exact: true });
    await script.fill('SELECT 7 AS seven');
    const other = await become(alices, 'bob', TELLS_NOTHING);

    const run = alices.getByRole('button', { name: 'Run', exact: true });
    await run.click();
    await saysThatBobIsIn(alices);
    await expect(path.sessionOf('SELECT 7 AS seven')).rejects.toThrow('0 sessions');
    const popup = alices.waitForEvent('popup');
    await alices.getByRole('button', { name: 'Sign in again' }).click();
    await accountOf(await popup, 'alice').click();
    await alices.getByRole('dialog').waitFor({ state: 'hidden' });
    await run.click();
    await alices.getByRole('table', { name: 'Result' }).getByText('7', { exact: true }).waitFor();
    expect((await path.sessionOf('SELECT 7 AS seven')).status).toBe('done');

    // Now the page in `other` shows bob, but alice is signed in.
    await other.getByRole('dialog').getByText('Alice Engineer signed in at this browser').waitFor();
    await other.getByRole('button', { name: 'Go on as Alice Engineer' }).click();
    await other.getByRole('navigation').getByText('alice@example.com').waitFor();
  });

  // promises: PORTAL-8
  it('of somebody else downloads nothing from the page of the first person', async () => {
    const { body } = await path.run('SELECT 8 AS eight', {}, 'alice');
    const { page } = await open('alice', `/sessions/${body.session_id as string}`);
    await page.getByRole('tab', { name: 'Downloads' }).click();
    const file = page.getByRole('link', { name: 'CSV' });
    const downloaded = page.waitForEvent('download');
    await file.click();
    expect((await downloaded).suggestedFilename()).toMatch(/\.csv$/);
    const asked: string[] = [];
    page.context().on('request', (request) => asked.push(request.url()));
    await become(page, 'bob', TELLS_NOTHING);
    await file.click();
    await saysThatBobIsIn(page);
    expect(asked.filter((url) => url.includes('extension='))).toEqual([]);
  });

  // promises: PORTAL-8
  it('of somebody else plays nothing on the page of the first person', async () => {
    const { body } = await path.run('SELECT 11 AS eleven', {}, 'alice');
    const { page } = await open('alice', `/sessions/${body.session_id as string}`);
    await page.getByRole('tab', { name: 'Player' }).waitFor();
    // Signs in as an admin, who may read every recording.
    await become(page, 'admin', TELLS_NOTHING);
    await page.getByRole('tab', { name: 'Player' }).click();
    const player = page.locator('.ap-player');
    const answered = page.waitForResponse(/extension=cast/);
    await player.getByRole('button', { name: /play/i }).first().click();
    expect((await answered).status()).toBe(401);
  });

  // promises: PORTAL-8
  it('of somebody else is told to the other tabs at once, and what was typed stays', async () => {
    const { page } = await open('alice', '/run?connection=orders');
    const reason = page.getByLabel('Reason');
    await reason.fill('typed by alice');
    await page.getByRole('textbox', { name: 'SQL', exact: true }).fill('SELECT 9 AS nine');
    const bobs = await become(page, 'bob');
    await saysThatBobIsIn(page);
    expect(await reason.inputValue()).toBe('typed by alice');
    // The next user gets nothing that alice typed.
    await page.getByRole('button', { name: 'Go on as Bob Operator' }).click();
    await page.getByRole('navigation').getByText('bob@example.com').waitFor();
    await page.goto(address('/run?connection=orders'));
    await reason.waitFor();
    expect(await reason.inputValue()).toBe('');
    expect(await page.getByRole('textbox', { name: 'SQL', exact: true }).innerText()).not.toContain('nine');
    // A sign-in in one tab signs in all tabs.
    await page.getByRole('button', { name: 'Sign out' }).click();
    await welcome(page);
    await bobs.getByRole('dialog').getByText('Your sign-in has ended').waitFor();
    await signIn(page, 'bob');
    await bobs.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  // promises: PORTAL-8
  it('ends in all tabs at once, and what is open is covered until it is known who is there', async () => {
    const { page } = await open('alice', '/run?connection=orders');
    await page.getByRole('textbox', { name: 'SQL', exact: true }).fill('SELECT 10 AS ten');
    await page.getByLabel('Reason').fill('for alice alone');
    await page
      .getByRole('combobox', { name: 'Connection' })
      .or(page.getByLabel('Connection'))
      .first()
      .click();
    const other = await page.context().newPage();
    await other.goto(address('/connections'));
    await other.getByRole('button', { name: 'Sign out' }).click();
    await welcome(other);
    await page.getByRole('dialog').getByText('Your sign-in has ended').waitFor();
    /** The text of the page that people can see, search or select. */
    const seen = (): Promise<string> => page.evaluate('document.body.innerText');
    const shown = (): Promise<number> =>
      page.getByRole('navigation').or(page.getByRole('main')).or(page.getByRole('listbox')).count();
    await expectSoon(shown, 0);
    await expectSoon(async () => /orders|for alice alone|ten/.test(await seen()), false);
    // Delays the user's name, so that the page knows that a user has signed in, but not which user.
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/userinfo', async (route) => {
      await held;
      await route.continue();
    });
    await signIn(other, 'bob');
    await other.getByRole('link', { name: 'orders' }).waitFor();
    expect(await shown()).toBe(0);
    answer();
    await saysThatBobIsIn(page);
    expect(await shown()).toBe(0);
    // The next user gets nothing that alice typed, not even with the Back button.
    await page.getByRole('button', { name: 'Go on as Bob Operator' }).click();
    await page.getByRole('navigation').getByText('bob@example.com').waitFor();
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toMatch(/ten|for alice/);
    await page.goBack();
    await eventually('a page of nobody or of bob', async () => {
      if ((await shown()) === 0) return true;
      return page.getByRole('navigation').getByText('bob@example.com').isVisible();
    });
    expect(await seen()).not.toContain('for alice alone');
  });

  // promises: PORTAL-7
  it.each(['/?error=', '/signed-in?error='])('says no words that stand in an address: %s', async (at) => {
    const context = await browser.newContext();
    opened.push(context);
    const page = await context.newPage();
    reportFaults(page, faults);
    const lure = 'your account is locked, call 555-0100';
    await page.goto(address(`${at}${encodeURIComponent(lure)}`));
    await page.getByText('The sign-in did not succeed: no reason was given').waitFor();
    expect(await page.content()).not.toContain('555-0100');
    await page.goto(address(`${at}access_denied`));
    await page.getByText('The sign-in did not succeed: access_denied').waitFor();
  });

  // promises: PORTAL-4
  it('lasts while the identity provider is down, and the page says when it asks again', async () => {
    const { page } = await open('alice', '/requests');
    await page.getByText('You have asked for nothing yet.').waitFor();
    await path.gateway.provider.close();
    await path.gateway.database.query('UPDATE portal_sessions SET renew_at = now(), secret = secret');
    const said = page
      .getByRole('status')
      .getByText(/the identity provider cannot be reached.*tries again at \d+:\d\d:\d\d/);
    // The page gets changes by a stream. It sends this request only when a person returns to it after some
    // time.
    await eventually('it asks again', async () => {
      await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`);
      return said.isVisible();
    });
    await expectSoon(() => page.getByText('You have asked for nothing yet.').isVisible(), true);
    expect(await page.getByRole('button', { name: /^Sign in/ }).count()).toBe(0);
    await path.gateway.database.query(
      `UPDATE portal_sessions SET renew_at = now() + interval '1 hour', secret = secret`,
    );
    await page.getByText(/the identity provider cannot be reached/).waitFor({ state: 'detached' });
  });
});
