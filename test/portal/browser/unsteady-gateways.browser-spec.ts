import type { Browser, BrowserContext, Page } from 'playwright-core';
import { describeInBrowser, reportFaults, startChromium } from '../../support/chromium';
import type { Person } from '../../support/gateway';
import { createRule, denyWords } from '../../support/guardrails';
import { listen } from '../../support/live';
import { expectSoon } from '../../support/portal/expect-soon';
import { accountOf } from '../../support/portal/journeys';
import { TimedPage } from '../../support/portal/timed-page';
import { purgedElsewhere, storeRecordings } from '../../support/retention';
import { type ReviewPath, startReviewPath } from '../../support/review-path';

/** Tests an open page while the gateway fails, answers wrongly, or has changed the shown data. */
describeInBrowser('a page of the portal', () => {
  let browser: Browser;
  let path: ReviewPath;
  let opened: BrowserContext[] = [];
  let faults: string[] = [];

  beforeAll(async () => {
    [browser, path] = await Promise.all([startChromium(), startReviewPath()]);
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

  /** Opens a page as a signed-in person. @param prepare runs before the page is opened */
  async function open(
    person: Person,
    at: string,
    prepare: (context: BrowserContext) => Promise<unknown> = async () => undefined,
  ): Promise<Page> {
    const context = await browser.newContext();
    opened.push(context);
    await prepare(context);
    const page = await context.newPage();
    reportFaults(page, faults);
    await signIn(page, person, at);
    return page;
  }

  async function signIn(page: Page, person: Person, at: string): Promise<void> {
    await page.goto(new URL(at, path.gateway.api).href);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await accountOf(page, person).click();
    await page.getByRole('navigation').waitFor();
  }

  // promises: PORTAL-9
  it.each([
    [503, 'the database cannot be reached, try again shortly'],
    [429, 'too many requests'],
  ])('says when it asks again after %i with Retry-After, and does', async (status, message) => {
    const page = await open('alice', '/requests');
    await page.getByText('You have asked for nothing yet.').waitFor();
    // Simulates a proxy in front of the gateways, which refuses requests.
    let refused = 0;
    const isList = (url: URL): boolean => url.pathname.endsWith('/connections');
    await page.route(isList, (route) =>
      refused++ < 2
        ? route.fulfill({ status, json: { message }, headers: { 'Retry-After': '2' } })
        : route.continue(),
    );
    await page.getByRole('link', { name: 'My connections' }).click();
    const said = page
      .getByRole('status')
      .getByText(new RegExp(`${message}. This page tries again at \\d+:\\d\\d:\\d\\d`));
    await said.waitFor();
    await page.getByRole('link', { name: 'orders', exact: true }).waitFor();
    await said.waitFor({ state: 'detached' });
    expect(refused).toBe(3);
  });

  // promises: PORTAL-9
  it('says from when on a change that was refused can be made, keeps what was typed, and makes it once', async () => {
    const page = await open('alice', '/run?connection=orders');
    let isBusy = true;
    await page.route(
      (url) => url.pathname.endsWith('/sessions'),
      (route) =>
        isBusy
          ? route.fulfill({
              status: 429,
              json: { message: 'too many scripts' },
              headers: { 'Retry-After': '30' },
            })
          : route.continue(),
    );
    await page.getByRole('textbox', { name: 'SQL', exact: true }).fill('SELECT 8 AS eight');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page
      .getByRole('alert')
      .getByText(/^too many scripts. Try again from \d+:\d\d:\d\d .*on.$/)
      .waitFor();
    isBusy = false;
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('1 row, 1 column').waitFor();
    expect((await path.sessionOf('SELECT 8 AS eight')).status).toBe('done');
  });

  it('that may follow no further session says so, and follows it when it may', async () => {
    const running = path.run('SELECT pg_sleep(600)', { correlation_id: 'followed' }, 'alice');
    await path.untilRunning(/pg_sleep\(600\)/);
    const { data } = (await path.gateway.call('alice', 'GET', '/sessions?correlation_id=followed')).body;
    const id = data[0].id as string;
    const readers = await Promise.all(Array.from({ length: 10 }, () => listen(path.gateway, 'alice', id)));
    const page = await open('alice', `/sessions/${id}`);
    await page
      .getByRole('alert')
      .getByText(/^you follow 10 sessions already. Try again from/)
      .waitFor();
    expect(await page.getByText('That is all.').count()).toBe(0);
    for (const reader of readers) reader.leave();
    await page.getByRole('log').getByText('SELECT pg_sleep(600)').waitFor();
    await path.gateway.call('alice', 'POST', `/sessions/${id}/kill`);
    await running;
    await page.getByText('That is all.').waitFor();
  });

  /** Opens a page of an older build than the gateway's. After `today`, a reload gets the current build. */
  async function openYesterday(at: string): Promise<{ page: Page; today: () => Promise<void> }> {
    const page = await open('admin', '/connections');
    const own = new URL(at, path.gateway.api).href;
    await page.route(own, async (route) => {
      const answer = await route.fetch();
      const text = await answer.text();
      const body = text.replace(/name="build" content="[^"]+"/, 'name="build" content="yesterday"');
      expect(body).not.toBe(text);
      return route.fulfill({ response: answer, body });
    });
    await page.goto(own);
    return { page, today: () => page.unroute(own) };
  }

  // promises: PORTAL-10
  it('says that the gateway was upgraded, and a reload keeps what was typed', async () => {
    const { page, today } = await openYesterday('/new/guardrail');
    await page.getByText('The gateway was updated.').waitFor();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('half of a rule');
    await page.getByRole('textbox', { name: 'Description' }).fill('typed before the upgrade');
    await today();
    await page.getByRole('button', { name: 'Reload', exact: true }).click();
    await page.getByText('The gateway was updated.').waitFor({ state: 'detached' });
    await expectSoon(
      () => page.getByRole('textbox', { name: 'Name', exact: true }).inputValue(),
      'half of a rule',
    );
    await expectSoon(
      () => page.getByRole('textbox', { name: 'Description' }).inputValue(),
      'typed before the upgrade',
    );
    // A second reload must not restore the typed text again.
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('');
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    expect(await page.getByRole('textbox', { name: 'Description' }).inputValue()).toBe('');
  });

  // promises: PORTAL-10
  it('keeps a change of what others changed meanwhile, and overwrites nothing after the reload', async () => {
    const id = await createRule(path.gateway, { name: 'two people', input: denyWords(['drop']) });
    const { page, today } = await openYesterday(`/guardrails/${id}`);
    await page.getByRole('textbox', { name: 'Description' }).fill('mine');
    const theirs = await path.gateway.call('admin', 'GET', `/guardrails/${id}`);
    const { name, input, output, attributes, connection_ids } = theirs.body;
    const changed = await path.gateway.call(
      'admin',
      'PUT',
      `/guardrails/${id}`,
      { name, input, output, attributes, connection_ids, description: 'theirs' },
      { 'if-match': theirs.headers.get('etag') ?? '' },
    );
    expect(changed.status).toBe(200);
    await today();
    await page.getByRole('button', { name: 'Reload', exact: true }).click();
    await page.getByText('The gateway was updated.').waitFor({ state: 'detached' });
    await expectSoon(() => page.getByRole('textbox', { name: 'Description' }).inputValue(), 'mine');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('alert').getByText('Somebody else changed this meanwhile').waitFor();
    expect((await path.gateway.call('admin', 'GET', `/guardrails/${id}`)).body.description).toBe('theirs');
  });

  // promises: PORTAL-10
  it('asks before a reload loses a secret, and stores none', async () => {
    const { page, today } = await openYesterday('/new/connection');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('half of a connection');
    const secret = page.getByLabel('PASS', { exact: true });
    await secret.fill('not-to-be-stored');
    await today();
    const answered = async (stay: boolean): Promise<string> => {
      const asked = page.waitForEvent('dialog');
      const click = page.getByRole('button', { name: 'Reload', exact: true }).click();
      const dialog = await asked;
      await (stay ? dialog.dismiss() : dialog.accept());
      await click.catch(() => undefined);
      return dialog.type();
    };
    expect(await answered(true)).toBe('beforeunload');
    await expectSoon(() => secret.inputValue(), 'not-to-be-stored');
    const stored = await page.evaluate<string>('JSON.stringify({ ...sessionStorage, ...localStorage })');
    expect(stored).toContain('half of a connection');
    expect(stored).not.toContain('not-to-be-stored');
    expect(await answered(false)).toBe('beforeunload');
    await page.getByText('The gateway was updated.').waitFor({ state: 'detached' });
    await expectSoon(
      () => page.getByRole('textbox', { name: 'Name', exact: true }).inputValue(),
      'half of a connection',
    );
    expect(await secret.inputValue()).toBe('');
  });

  // promises: PORTAL-10
  it('stays as it is where a part of it is gone with the build before', async () => {
    const { body } = await path.run('SELECT 1');
    const page = await open('admin', `/sessions/${body.session_id as string}`);
    await page.getByRole('textbox', { name: 'Note' }).fill('typed before');
    await page.route(/assets\/player-[^/]*\.js/, (route) =>
      route.fulfill({ status: 404, body: 'no such route' }),
    );
    await page.getByRole('tab', { name: 'Player' }).click();
    await page.getByRole('alert').getByText('This part of the page could not be loaded').waitFor();
    await expectSoon(() => page.getByRole('textbox', { name: 'Note' }).inputValue(), 'typed before');
    await page.unroute(/assets\/player-[^/]*\.js/);
    await page.getByRole('alert').getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('log').waitFor();
    await expectSoon(() => page.getByRole('textbox', { name: 'Note' }).inputValue(), 'typed before');
  });

  it.each([
    ['ahead', 10],
    ['behind', -10],
  ])('says how much time is left where the clock of the reader is ten minutes %s', async (_how, minutes) => {
    await path.gateway.call('bob', 'POST', '/connections/orders/credentials', {
      access_duration_seconds: 900,
    });
    const page = await open('bob', '/connections/orders', (context) =>
      context.addInitScript(`{
        const Real = Date;
        const off = ${minutes * 60_000};
        globalThis.Date = class extends Real {
          constructor(...given) {
            if (given.length === 0) super(Real.now() + off);
            else super(...given);
          }
          static now() { return Real.now() + off; }
        };
      }`),
    );
    const clock = await page.evaluate<number>('Date.now()');
    expect(Math.abs(clock - Date.now() - minutes * 60_000)).toBeLessThan(60_000);
    // A page that used the wrong clock would show 5 or 25 minutes.
    await page
      .getByText(/in 1[0-4] minutes/)
      .first()
      .waitFor();
  });

  it('asks often for the progress of a run of the retention, and seldom while there is none', async () => {
    const context = await browser.newContext();
    opened.push(context);
    const timed = await TimedPage.of(await context.newPage(), path.gateway.api);
    reportFaults(timed.page, faults);
    await signIn(timed.page, 'auditor', '/retention');
    const state = (said: string) => timed.page.getByRole('row').getByText(said, { exact: true });
    const shows = (said: string, seconds: number): Promise<void> =>
      timed.passUntil(`the page says that ${said}`, seconds, () => state(said).isVisible());
    await state('no run is in progress').waitFor();
    await timed.stop();
    await timed.pass(60);
    expect(timed.count('/retention')).toBeGreaterThan(0);
    expect(timed.count('/retention')).toBeLessThanOrEqual(3);
    await purgedElsewhere(path.gateway, async () => {
      await path.sql('INSERT INTO retention_runs (org_id) SELECT id FROM organizations');
      await shows('a run is in progress', 32);
      await timed.stop();
      await timed.pass(20);
      expect(timed.count('/retention')).toBeGreaterThan(7);
    });
    await shows('no run is in progress', 3);
  });

  it('says that a session is gone, and keeps what it showed', async () => {
    const { connectionId, gateway } = path;
    const [id = ''] = await storeRecordings(gateway.database, {
      connectionId,
      start: new Date(),
      status: 'open',
    });
    const page = await open('alice', `/sessions/${id}`);
    await page.getByRole('log').getByText('SELECT canary').waitFor();
    // Triggers keep rows of sessions for good, so an operator who deletes rows by hand must disable them.
    await gateway.database.query(
      `ALTER TABLE sessions DISABLE TRIGGER sessions_stay; ALTER TABLE session_chunks DISABLE TRIGGER USER;
       DELETE FROM session_chunks WHERE session_id = '${id}'; DELETE FROM sessions WHERE id = '${id}';
       ALTER TABLE sessions ENABLE TRIGGER sessions_stay; ALTER TABLE session_chunks ENABLE TRIGGER USER`,
    );
    await page.getByText('This could not be read again.').waitFor();
    await page.getByRole('alert').getByText('there is no session with this id').first().waitFor();
    await expectSoon(() => page.getByRole('log').getByText('SELECT canary').isVisible(), true);
  });
});
