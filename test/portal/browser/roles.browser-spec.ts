import type { Browser } from 'playwright-core';
import { describeInBrowser, startChromium, visit } from '../../support/chromium';
import type { Person } from '../../support/gateway';
import { type Furnished, startFurnished } from '../../support/portal/furnished';
import { routePaths } from '../../support/portal/screens';
import { type Answered, Walker } from '../../support/portal/walker';

/**
 * Groups of people who may open a screen, by the permissions of the API. Bob is a regular user who reviews.
 */
type Reach = 'everybody' | 'readers' | 'admins' | 'actors';
const REACHED_BY: Readonly<Record<Reach, readonly Person[]>> = {
  everybody: ['alice', 'bob', 'auditor', 'admin'],
  actors: ['alice', 'bob', 'admin'],
  readers: ['auditor', 'admin'],
  admins: ['admin'],
};

/** All screens. The first test fails if a screen is missing here. */
const SCREENS: Readonly<Record<string, Reach>> = {
  '/': 'everybody',
  '/signed-in': 'everybody',
  '/connections': 'everybody',
  '/connections/$name': 'everybody',
  '/run': 'actors',
  '/requests': 'everybody',
  '/reviews': 'everybody',
  '/sign-offs': 'everybody',
  '/reviews/$id': 'everybody',
  '/sessions': 'everybody',
  '/sessions/$id': 'everybody',
  '/mcp-clients': 'everybody',
  '/ssh-keys': 'everybody',
  '/users': 'readers',
  '/users/$id': 'readers',
  '/groups': 'readers',
  '/organization': 'readers',
  '/all-requests': 'readers',
  '/retention': 'readers',
  '/health': 'everybody',
  '/connections/$name/tools': 'readers',
  '/connections/$name/tools/$tool': 'readers',
  '/guardrails': 'readers',
  '/guardrails/$id': 'readers',
  '/access-rules': 'readers',
  '/access-rules/$name': 'readers',
  '/why': 'readers',
  '/audit': 'admins',
  '/api-keys': 'admins',
  '/scim-tokens': 'admins',
  '/webhooks': 'admins',
  '/webhooks/$id': 'admins',
  '/webhooks/new': 'admins',
  '/admin-connections': 'admins',
  '/admin-connections/$name': 'admins',
  '/new/connection': 'admins',
  '/new/guardrail': 'admins',
  '/new/access-rule': 'admins',
};
/** Screens that a person may open, but that the navigation does not link, as the person has no work there. */
const NOT_LINKED: Readonly<Record<Person, readonly string[]>> = {
  alice: ['/health'],
  bob: ['/health'],
  auditor: ['/requests', '/reviews', '/sign-offs'],
  admin: [],
};
const PEOPLE: readonly Person[] = ['alice', 'bob', 'auditor', 'admin'];

describeInBrowser('the screens of each role', () => {
  let browser: Browser;
  let world: Furnished;

  beforeAll(async () => {
    world = await startFurnished();
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  const refusedIn = (answers: readonly Answered[]) =>
    answers.filter(({ status }) => status === 401 || status === 403);
  const walk = async (person: Person) => {
    const visitor = await visit(browser, world.gateway, person);
    await visitor.page.getByRole('navigation').waitFor();
    const walker = new Walker(visitor.page, world.gateway.api);
    await walker.settled();
    return { page: visitor.page, faults: visitor.faults, walker, leave: () => visitor.close() };
  };

  it('are those of the router', () => {
    expect(routePaths()).toEqual(Object.keys(SCREENS).sort());
  });

  // promises: PORTAL-5, PORTAL-17
  it.each(PEOPLE)('are shown where the API answers, and ask nothing where it refuses: %s', async (person) => {
    const { page, walker, faults, leave } = await walk(person);
    walker.answers();
    const seen: Record<string, unknown> = {};
    const expected: Record<string, unknown> = {};
    for (const [path, reach] of Object.entries(SCREENS)) {
      const isReached = REACHED_BY[reach].includes(person);
      await walker.go(world.addresses[path] ?? path);
      const answers = walker.answers();
      seen[path] = {
        isRefused: (await page.getByText('You may not see this.').count()) > 0,
        refused: refusedIn(answers),
        asked: isReached || answers.filter(({ request }) => !request.startsWith('GET /userinfo')),
      };
      expected[path] = { isRefused: !isReached, refused: [], asked: isReached || [] };
      if (path === '/signed-in') await page.goto(new URL('/connections', world.gateway.api).href);
    }
    expect(seen).toEqual(expected);
    expect(faults).toEqual([]);
    if (person === 'alice' || person === 'bob') {
      const said = await walker.said();
      expect(said.length).toBeGreaterThan(5_000);
      expect(world.secrets.filter((secret) => said.includes(secret))).toEqual([]);
    }
    await leave();
  });

  it.each(PEOPLE)('are linked where they are shown: %s', async (person) => {
    const { page, leave } = await walk(person);
    const links = await page.getByRole('navigation').getByRole('link').all();
    const paths = await Promise.all(links.map((link) => link.getAttribute('href')));
    const reached = Object.entries(SCREENS).filter(([, reach]) => REACHED_BY[reach].includes(person));
    expect(reached.map(([path]) => path)).toEqual(expect.arrayContaining(paths));
    // Leaves out pages that need an ID or create an item, because lists link to them, not the navigation.
    const listed = reached.map(([path]) => path).filter((path) => !/\$|\/new|^\/$|signed-in/.test(path));
    const left = listed.filter((path) => !paths.includes(path));
    expect([person, left]).toEqual([person, NOT_LINKED[person]]);
    await leave();
  });

  /** Tries every control of a screen once. Admins are left out, because nothing can be refused to them. */
  // promises: PORTAL-5
  it.each(['alice', 'bob', 'auditor'] as const)('offer nothing that the API refuses: %s', async (person) => {
    const { page, walker, leave } = await walk(person);
    page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined));
    page.on('popup', (popup) => void popup.close().catch(() => undefined));
    const refused: unknown[] = [];
    let tried = 0;
    for (const [path, reach] of Object.entries(SCREENS)) {
      if (!REACHED_BY[reach].includes(person) || path === '/signed-in') continue;
      const address = world.addresses[path] ?? path;
      const controls = page
        .getByRole('main')
        .locator('button:not([disabled]), [role=tab], input[type=checkbox]');
      await walker.go(address);
      const count = await controls.count();
      for (let at = 0; at < count; at++) {
        // Leaves the screen and opens it again, so that it is in its first state.
        await walker.show('/signed-out-of-here');
        await page.getByText('This page does not exist').waitFor();
        await walker.go(address);
        const control = controls.nth(at);
        if (!(await control.isVisible().catch(() => false))) continue;
        const name = (await control.getAttribute('aria-label')) ?? (await control.textContent());
        walker.answers();
        await control.click({ timeout: 1_000 }).catch(() => undefined);
        await walker.settled();
        const dialog = page.getByRole('dialog');
        if ((await dialog.count()) > 0) {
          for (const box of await dialog.getByRole('checkbox').all()) await box.click();
          await dialog
            .getByRole('button')
            .last()
            .click({ timeout: 1_000 })
            .catch(() => undefined);
          await walker.settled();
          await page.keyboard.press('Escape');
        }
        tried++;
        refused.push(...refusedIn(walker.answers()).map((answer) => ({ path, name, ...answer })));
      }
    }
    expect(refused).toEqual([]);
    expect(tried).toBeGreaterThan(5);
    await leave();
  });
});
