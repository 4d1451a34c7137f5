import { readFileSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, startChromium, visit } from '../../support/chromium';
import { keptState, settledState } from '../../support/portal/kept-state';
import { type ReviewPath, startReviewPath } from '../../support/review-path';

/** Starts a server with the page of an attacker, on another port of this machine. */
async function startForeignPage(): Promise<Server> {
  const html = readFileSync(join(__dirname, 'foreign-page.html'));
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

describeInBrowser('a page of somebody else, in the browser of an admin', () => {
  let browser: Browser;
  let path: ReviewPath;
  let foreign: Server;
  let reviewId: string;

  beforeAll(async () => {
    path = await startReviewPath();
    browser = await startChromium();
    foreign = await startForeignPage();
    ({ id: reviewId } = await path.ask(await path.reviewed({ reviewers_groups: ['admin'] })));
  });
  afterAll(async () => {
    await browser.close();
    foreign.close();
    await path.close();
  });

  const addressOf = (host: string) => `http://${host}:${(foreign.address() as AddressInfo).port}/`;
  /**
   * Hosts of the attacker's page. The first is on the portal's site, so browsers send even `SameSite=Strict`
   * cookies with the page's requests. The second is on another site.
   */
  const hosts = ['127.0.0.1', 'localhost'];
  /** Calls a function of the attacker's page. */
  const call = <T>(page: Page, name: string, ...given: string[]): Promise<T> =>
    page.evaluate<T>(`${name}(${given.map((one) => JSON.stringify(one)).join(', ')})`);
  /** Opens the portal as an admin, and the attacker's page in another tab. */
  const lure = async (host: string) => {
    const admin = await visit(browser, path.gateway, 'admin');
    await admin.page.getByRole('navigation').waitFor();
    const page = await admin.page.context().newPage();
    await page.goto(addressOf(host));
    return { admin, page, api: path.gateway.api, portal: new URL('/connections', path.gateway.api).href };
  };

  // promises: PORTAL-2
  it.each(hosts)('changes and reads nothing: %s', async (host) => {
    const { admin, page, api } = await lure(host);
    const before = await settledState(path.gateway);
    let sent = 0;
    const answered: number[] = [];
    page.on('request', (request) => (sent += request.url().startsWith(api) ? 1 : 0));
    page.on('response', (response) => {
      const isAsked = response.url().startsWith(api) && response.request().method() !== 'OPTIONS';
      if (isAsked) answered.push(response.status());
    });
    const outcomes = await call<string[]>(page, 'attack', api, reviewId);
    expect(outcomes.filter((outcome) => !/failed$|: opaque 0$/.test(outcome))).toEqual([]);
    expect(outcomes.length).toBeGreaterThan(20);
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data'])
      for (const where of ['/groups', '/api-keys', '/sessions']) {
        await page.goto(addressOf(host));
        await call(page, 'sendForm', `${api}${where}`, type);
        await page.waitForURL(`${api}${where}`);
      }
    expect(new Set(answered)).toEqual(new Set([401]));
    // Playwright sees only few answers, because the browser blocks most of them.
    expect([sent > 30, answered.length >= 9]).toEqual([true, true]);
    expect(await keptState(path.gateway)).toEqual(before);

    // The admin's own page still works.
    await admin.page.reload();
    await admin.page.getByRole('link', { name: 'API keys' }).waitFor();
    await admin.close();
  });

  it.each(hosts)('shows no page of the portal in a frame: %s', async (host) => {
    const { admin, page, portal } = await lure(host);
    const refused: string[] = [];
    page.on('console', (message) => refused.push(message.text()));
    for (const tag of ['iframe', 'object', 'embed']) await call(page, 'frame', tag, portal);
    for (const frame of page.frames().slice(1)) expect(frame.url()).not.toBe(portal);
    expect(refused.filter((text) => text.includes('frame-ancestors'))).toHaveLength(3);
    await admin.close();
  });

  it('learns nothing from a window that it opened, and cannot lead it elsewhere', async () => {
    const { admin, page, portal } = await lure('127.0.0.1');
    const opened = page.waitForEvent('popup');
    await page.evaluate(`void (window.other = window.open(${JSON.stringify(portal)}))`);
    const popup = await opened;
    await popup.waitForLoadState();
    expect(['closed', 'refused']).toContain(await page.evaluate('lookInto(window.other)'));
    // The header Cross-Origin-Opener-Policy separates the attacker's window from the portal's window.
    expect(await popup.evaluate('window.opener === null')).toBe(true);
    await admin.close();
  });
});
