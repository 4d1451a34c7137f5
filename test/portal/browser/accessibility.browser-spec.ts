import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, startChromium, visit } from '../../support/chromium';
import { eventually } from '../../support/eventually';
import { type TestGateway, startGateway } from '../../support/gateway';
import { OWN_PAGE } from '../../support/portal';
import { violationsInSchemes, violationsOf } from '../../support/portal/axe';
import { type Furnished, startFurnished } from '../../support/portal/furnished';
import { routePaths } from '../../support/portal/screens';
import { Walker } from '../../support/portal/walker';

const WIDTHS = [1440, 360] as const;
/** All screens except `/signed-in`, which closes its window. */
const screens = routePaths().filter((path) => path !== '/signed-in');

/** Answers that replace the answers of the API, and the text that a screen then shows. */
const STATES: Readonly<Record<string, { status?: number; message: string; shows: RegExp }>> = {
  refused: { status: 403, message: 'you may not read this', shows: /you may not read this/ },
  failed: { status: 500, message: 'something went wrong', shows: /something went wrong/ },
  offline: { message: '', shows: /The gateway cannot be reached/ },
};

/** Script that returns the texts of badges that do not fit into their badge or its container. */
const CUT_BADGES = `[...document.querySelectorAll('.mantine-Badge-label')].filter((label) => {
  const { parentElement: badge } = label;
  const isCut = (one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'visible';
  return isCut(label) || isCut(badge) || label.getBoundingClientRect().right > badge.getBoundingClientRect().right + 1;
}).map((label) => label.innerText)`;

describeInBrowser('every screen, by axe-core (WCAG 2.2 AA)', () => {
  let browser: Browser;
  let world: Furnished;
  let page: Page;
  let walker: Walker;

  const begin = async (gateway: TestGateway, person: 'admin' | 'alice') => {
    const visitor = await visit(browser, gateway, person);
    await visitor.page.getByRole('navigation').waitFor();
    const walker = new Walker(visitor.page, gateway.api);
    await walker.settled();
    return { page: visitor.page, walker, leave: () => visitor.close() };
  };

  beforeAll(async () => {
    world = await startFurnished();
    browser = await startChromium();
    ({ page, walker } = await begin(world.gateway, 'admin'));
  });
  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  const addressOf = (path: string): string => world.addresses[path] ?? path;
  /**
   * Returns accessibility and layout faults of a page, in light and dark mode, in wide and narrow windows.
   */
  const inEachLook = async (on: Page): Promise<string[]> => {
    const found: string[] = [];
    for (const width of WIDTHS) {
      await on.setViewportSize({ width, height: 900 });
      found.push(...(await violationsInSchemes(on)).map((text) => `${width}, ${text}`));
      const overflow = await on.evaluate('document.documentElement.scrollWidth - innerWidth');
      if (overflow !== 0)
        found.push(`${width}: the page is ${String(overflow)} pixels wider than the screen`);
      const cut = await on.evaluate<string[]>(CUT_BADGES);
      found.push(...cut.map((text) => `${width}: a badge does not show all of “${text}”`));
    }
    return found;
  };

  // promises: PORTAL-6
  it.each(screens)('is sound when it is filled: %s', async (path) => {
    await walker.go(addressOf(path));
    expect(await inEachLook(page)).toEqual([]);
  });

  // promises: PORTAL-6
  it.each(Object.entries(STATES))(
    'is sound when what it asks for is %s',
    async (_state, { status, message, shows }) => {
      const { page, walker, leave } = await begin(world.gateway, 'admin');
      await page.route(
        (url) => url.href.startsWith(world.gateway.api) && !url.pathname.endsWith('/userinfo'),
        (route) =>
          status === undefined
            ? route.abort('connectionrefused')
            : route.fulfill({ status, contentType: 'application/json', body: JSON.stringify({ message }) }),
      );
      const found: unknown[] = [];
      let told = 0;
      for (const path of screens) {
        await walker.show(addressOf(path));
        // Does not wait for the text, because some screens request nothing and never show it.
        await walker.answered();
        told += await page.getByText(shows).count();
        found.push(...(await violationsOf(page)).map((violation) => `${path}: ${violation}`));
      }
      expect(found).toEqual([]);
      expect(told).toBeGreaterThan(9);
      await leave();
    },
  );

  // promises: PORTAL-6
  it('is sound while it is loading', async () => {
    const { page, walker, leave } = await begin(world.gateway, 'admin');
    await page.route(
      (url) => url.href.startsWith(world.gateway.api) && !url.pathname.endsWith('/userinfo'),
      () => undefined,
    );
    const found: unknown[] = [];
    let loading = 0;
    for (const path of screens) {
      await walker.show(addressOf(path));
      // Does not wait for “Loading …”, because some screens request nothing and never show it.
      await walker.shown();
      loading += await page.getByText('Loading …').count();
      found.push(...(await violationsOf(page)).map((violation) => `${path}: ${violation}`));
    }
    expect(found).toEqual([]);
    expect(loading).toBeGreaterThan(9);
    await leave();
  });

  // promises: PORTAL-6
  it.each(['admin', 'alice'] as const)('is sound when there is nothing yet, for %s', async (person) => {
    const empty = await startGateway();
    const found: unknown[] = [];
    const { page, walker, leave } = await begin(empty, person);
    for (const path of screens) {
      // Opens the screen with an ID that belongs to no resource.
      await walker.go(path);
      found.push(...(await violationsOf(page)).map((violation) => `${path}: ${violation}`));
    }
    await leave();
    await empty.close();
    expect(found).toEqual([]);
  });

  // promises: PORTAL-6
  it('is sound before and after a sign-in, in the search, and in its menu', async () => {
    const { page, walker, leave } = await begin(world.gateway, 'admin');
    const found: [string, string[]][] = [];
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('dialog').waitFor();
    found.push(['search', await inEachLook(page)]);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole('button', { name: 'Menu' }).click();
    found.push(['menu', await violationsOf(page)]);
    await page.keyboard.press('Escape');
    await walker.go('/no/such/page');
    await page.getByText('This page does not exist').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Go to the first page' }).waitFor();
    found.push(['missing', await inEachLook(page)]);
    await walker.go('/connections/orders');
    await world.gateway.database.query('DELETE FROM portal_sessions');
    // Retries, because the gateway caches the sign-in for a moment.
    const askAgain = () => page.request.get(`${world.gateway.api}/userinfo`, { headers: OWN_PAGE });
    await eventually('the sign-in has ended', async () => (await askAgain()).status() === 401);
    await walker.show('/requests');
    await page.getByRole('button', { name: 'Sign in again' }).waitFor();
    found.push(['expired', await inEachLook(page)]);
    await page.reload();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    found.push(['welcome', await inEachLook(page)]);
    expect(found).toEqual(['search', 'menu', 'missing', 'expired', 'welcome'].map((state) => [state, []]));
    await leave();
  });
});
