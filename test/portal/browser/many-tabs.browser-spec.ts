import type { Browser, BrowserContext, Page, Request, Response } from 'playwright-core';
import { describeInBrowser, startChromium } from '../../support/chromium';
import { SLOWEST, eventually } from '../../support/eventually';
import { residentMegabytes } from '../../support/memory';
import { accountOf } from '../../support/portal/journeys';
import { Walker } from '../../support/portal/walker';
import { type ReviewPath, startReviewPath } from '../../support/review-path';
import { volume } from '../../support/volume';

const TABS = volume(30, 100);
/** Number of windows that follow a session at once: more than the browser's six connections. */
const WINDOWS = 8;

const TOLD_WITHIN_MS = 2_000;
const isReviewStream = (response: Response): boolean => response.url().endsWith('/reviews/stream');

/**
 * Script that simulates hidden tabs, because Chromium without a screen reports every page as visible.
 * `show` makes a page visible or hidden.
 */
const VISIBILITY = `{
  let isSeen = false;
  Object.defineProperty(document, 'visibilityState', { get: () => (isSeen ? 'visible' : 'hidden') });
  globalThis.show = (now) => {
    isSeen = now;
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  };
}`;

describeInBrowser('many tabs of one browser', () => {
  let browser: Browser;
  let path: ReviewPath;
  let context: BrowserContext;
  let running: Promise<unknown>;
  let session: string;

  const address = (at: string): string => new URL(at, path.gateway.api).href;
  const show = (page: Page, isSeen: boolean) => page.evaluate(`show(${isSeen})`);
  /** Opens a page in the background, and waits until it has loaded. */
  const openTab = async (at: string): Promise<Page> => {
    const page = await context.newPage();
    const walker = new Walker(page, path.gateway.api);
    await page.goto(address(at));
    await page.getByRole('navigation').waitFor();
    await walker.answered();
    return page;
  };

  /** Returns the number of transactions on the gateway's database that have been reported so far. */
  const transactions = async (): Promise<number> => {
    const [row] = await path.gateway.database.query<{ count: number }>(
      'SELECT (xact_commit + xact_rollback)::int AS count FROM pg_stat_database WHERE datname = current_database()',
    );
    return row?.count ?? 0;
  };

  beforeAll(async () => {
    [browser, path] = await Promise.all([startChromium(['--renderer-process-limit=4']), startReviewPath()]);
    context = await browser.newContext();
    await context.addInitScript(VISIBILITY);
    const page = await context.newPage();
    await page.goto(address('/'));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await accountOf(page, 'bob').click();
    await page.getByRole('navigation').waitFor();
    await page.close();
    running = path.by('bob', 'POST', '/sessions', {
      connection: 'orders',
      script: 'SELECT pg_sleep(600)',
      correlation_id: 'tabs',
    });
    await path.untilRunning(/pg_sleep\(600\)/);
    const { data } = (await path.by('bob', 'GET', '/sessions?correlation_id=tabs')).body;
    session = data[0].id as string;
  });
  afterEach(async () => {
    await Promise.all(context.pages().map((page) => page.close()));
  });
  afterAll(async () => {
    await path.by('bob', 'POST', `/sessions/${session}/kill`);
    await running;
    await browser.close();
    await path.close();
  });

  // promises: PORTAL-12
  it('ask nothing while nobody looks at them, and the one in sight is told of a decision', async () => {
    const { id } = await path.ask(await path.reviewed());
    for (let tab = 0; tab < TABS; tab++) await openTab(tab % 3 === 0 ? `/sessions/${session}` : '/reviews');
    const seen = await openTab(`/reviews/${id}`);
    const follows = seen.waitForResponse(isReviewStream);
    await show(seen, true);
    await seen.getByRole('status').getByText('waits', { exact: true }).waitFor();
    await follows;
    const asked = new Map<boolean, number>([
      [true, 0],
      [false, 0],
    ]);
    let streams = 0;
    context.on('request', (request) => {
      const isSeen = request.frame().page() === seen;
      asked.set(isSeen, (asked.get(isSeen) ?? 0) + 1);
      if (request.url().endsWith('/stream')) streams++;
    });
    const decidedAt = performance.now();
    const before = await transactions();
    await path.say('admin', id, { status: 'REJECTED', rejection_reason: 'no' });
    // The decision must come by the stream. Without it, the page would poll only after ten seconds.
    const rejected = seen.getByRole('status').getByText('rejected', { exact: true });
    await rejected.waitFor({ timeout: TOLD_WITHIN_MS * SLOWEST });
    const after = performance.now() - decidedAt;
    const rate = ((await transactions()) - before) / (after / 1_000);
    process.stdout.write(
      `${TABS + 1} tabs: ${rate.toFixed(0)} transactions a second of the gateway; a decision is seen after ${after.toFixed(0)} ms; requests of the tab in sight ${asked.get(true)}, of all others ${asked.get(false)}, streams ${streams}; ${residentMegabytes(process.pid) ?? 0} MB with the gateway in the process of this test\n`,
    );
    expect([asked.get(false), streams]).toEqual([0, 0]);
    // The visible page sends few requests: for the review, its context and its script.
    expect(asked.get(true)).toBeLessThan(10);
    // A tab continues when it is visible again.
    const [first] = context.pages();
    if (first === undefined) throw new Error('no tab');
    await show(first, true);
    await first.getByRole('log').getByText('SELECT pg_sleep(600)').waitFor();
  });

  // promises: PORTAL-12
  it('are told of a decision, or ask, in more windows than the browser has connections', async () => {
    const { id } = await path.ask(await path.reviewed());
    const windows: Page[] = [];
    for (let at = 0; at < WINDOWS; at++) {
      const page = await openTab(`/reviews/${id}`);
      await show(page, true);
      windows.push(page);
    }
    await path.say('admin', id, { status: 'REJECTED', rejection_reason: 'no' });
    for (const page of windows)
      await page.getByRole('status').getByText('rejected', { exact: true }).waitFor();
  });

  it('follow sessions in more windows than the browser has connections, and none hangs', async () => {
    const open = new Set<Request>();
    const isStream = (url: string): boolean => url.endsWith('/stream');
    context.on('response', (response) => {
      if (isStream(response.url())) open.add(response.request());
    });
    context.on('requestfinished', (request) => open.delete(request));
    context.on('requestfailed', (request) => open.delete(request));
    const windows: Page[] = [];
    for (let at = 0; at < WINDOWS; at++) {
      const page = await openTab(`/sessions/${session}`);
      await show(page, true);
      windows.push(page);
    }
    for (const page of windows) await page.getByRole('log').getByText('SELECT pg_sleep(600)').waitFor();
    const other = await openTab('/connections');
    await show(other, true);
    await other.getByRole('link', { name: 'orders', exact: true }).waitFor();
    // Retries, because the end of one window's stream may be noted after the start of another's.
    const streams = await eventually(
      'three windows follow, and the others wait',
      async () => open.size <= 3 && open.size,
    );
    process.stdout.write(`${WINDOWS} windows that follow a session share ${streams} streams\n`);
  });
});
