import type { Browser, BrowserContext, Route } from 'playwright-core';
import { describeInBrowser, reportFaults, startChromium } from '../../support/chromium';
import { freePort } from '../../support/free-port';
import type { Person } from '../../support/gateway';
import { accountOf } from '../../support/portal/journeys';
import { type MutingProxy, startMutingProxy } from '../../support/portal/muting-proxy';
import { TimedPage } from '../../support/portal/timed-page';
import { type ReviewPath, startReviewPath } from '../../support/review-path';
import { scoped } from '../../support/scoped';
import { type TcpProxy, startTcpProxy } from '../../support/tcp-proxy';

const STREAM = '/reviews/stream';
const LIST = '/reviews';
/** Number of seconds, by the page's clock, for which the test counts the requests of the page. */
const MINUTE = 60;
/** Seconds between two requests of a page while its stream is cut. At first, the page sends a few more. */
const ASKED_EVERY = 10;
const FEWEST = MINUTE / ASKED_EVERY - 1;
const MOST = MINUTE / ASKED_EVERY + 6;

const json = (status: number, retryAfter?: string) => ({
  status,
  json: { message: 'not now' },
  headers: retryAfter === undefined ? {} : { 'Retry-After': retryAfter },
});

/** An answer that refuses a page's request. */
type Refusal = (route: Route) => Promise<void>;
const REFUSALS: readonly (readonly [string, Refusal])[] = [
  ['refuses connections', (route) => route.abort('connectionrefused')],
  ['cuts each answer', (route) => route.abort('connectionreset')],
  ['is busy', (route) => route.fulfill(json(429))],
  ['is busy, and says that it is not', (route) => route.fulfill(json(429, '0'))],
  ['is not there', (route) => route.fulfill(json(503))],
  ['has a time to ask again that is over', (route) => route.fulfill(json(503, new Date(0).toUTCString()))],
  ['fails', (route) => route.fulfill(json(500))],
  ['does not know the person', (route) => route.fulfill(json(401))],
];

/**
 * Tests a list of reviews whose event stream from the gateway is cut. The test moves the clock of the page,
 * so that it can count the page's requests.
 */
describeInBrowser(
  'a page whose stream of reviews is cut',
  scoped((begin) => {
    const path: ReviewPath = begin(startReviewPath);
    const proxy: TcpProxy = begin(() => startTcpProxy('127.0.0.1', Number(new URL(path.gateway.api).port)));
    const browser: Browser = begin(() => {
      const { host } = new URL(path.gateway.api);
      return startChromium([`--host-resolver-rules=MAP ${host} 127.0.0.1:${proxy.port}`]);
    });
    const muting: MutingProxy = begin(() => startMutingProxy(path.gateway.api));
    let opened: BrowserContext[] = [];
    let faults: string[] = [];

    afterEach(async () => {
      proxy.lead(Number(new URL(path.gateway.api).port));
      await Promise.all(opened.map((context) => context.close()));
      expect(faults).toEqual([]);
      [opened, faults] = [[], []];
    });

    const open = async (person: Person, at: string): Promise<TimedPage> => {
      const context = await browser.newContext();
      opened.push(context);
      const page = await context.newPage();
      reportFaults(page, faults);
      const timed = await TimedPage.of(page, path.gateway.api);
      await page.goto(new URL(at, path.gateway.api).href);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await accountOf(page, person).click();
      await page.getByRole('navigation').waitFor();
      return timed;
    };
    /** Opens the list of reviews to decide, and waits until the event stream has added a review to it. */
    const openList = async () => {
      const connection = await path.reviewed();
      await path.ask(connection);
      const timed = await open('bob', '/reviews');
      const listed = timed.page.getByRole('link', { name: `Script on ${connection}`, exact: true });
      await listed.first().waitFor();
      await timed.isTold();
      await timed.stop();
      return { timed, connection, listed };
    };
    /** Cuts all connections of a page. Waits until the page knows it, because a busy browser notices late. */
    const cut = async (timed: TimedPage): Promise<void> => {
      proxy.cut();
      await timed.isCut();
    };
    const isApi = (url: URL): boolean => url.href.startsWith(path.gateway.api);

    // promises: PORTAL-12
    it('asks every ten seconds while its gateway is lost, and follows one stream when it is back', async () => {
      const { timed, connection, listed } = await openList();
      proxy.lead(await freePort());
      await cut(timed);
      await path.ask(connection);
      await timed.pass(MINUTE);
      await timed.page.getByText('The gateway cannot be reached').waitFor();
      expect(await listed.count()).toBe(1);
      for (const asked of [timed.count(STREAM), timed.count(LIST)]) {
        expect(asked).toBeGreaterThanOrEqual(FEWEST);
        expect(asked).toBeLessThanOrEqual(MOST);
      }
      expect(timed.open).toBe(0);

      proxy.lead(Number(new URL(path.gateway.api).port));
      await timed.stop();
      await timed.passUntilTold(ASKED_EVERY + 1);
      expect([timed.open, timed.count(STREAM)]).toEqual([1, 1]);
      await timed.pass(1);
      await listed.nth(1).waitFor();
      await path.ask(connection);
      await timed.resume();
      await listed.nth(2).waitFor();
      expect([timed.open, timed.count(STREAM)]).toEqual([1, 1]);
    });

    // promises: PORTAL-12
    it('asks every ten seconds where nothing but the stream is cut', async () => {
      const { timed, connection, listed } = await openList();
      await timed.page.route(`**${STREAM}`, (route) => route.abort('connectionreset'));
      await cut(timed);
      await timed.pass(1);
      await path.ask(connection);
      await timed.passUntil('the request is listed', ASKED_EVERY, () => listed.nth(1).isVisible());
      await timed.pass(MINUTE - ASKED_EVERY - 1);
      for (const asked of [timed.count(STREAM), timed.count(LIST)]) {
        expect(asked).toBeGreaterThanOrEqual(FEWEST);
        expect(asked).toBeLessThanOrEqual(MOST);
      }
      await timed.page.unroute(`**${STREAM}`);
      await timed.passUntilTold(ASKED_EVERY + 1);
      expect(timed.open).toBe(1);
    });

    // promises: PORTAL-12
    it('asks every ten seconds where the stream is open, and silent', async () => {
      const { timed, connection, listed } = await openList();
      proxy.lead(muting.port);
      await cut(timed);
      await timed.pass(2);
      expect(timed.open).toBe(1);
      await path.ask(connection);
      await timed.passUntil('the request is listed', ASKED_EVERY + 2, () => listed.nth(1).isVisible());
      await timed.pass(MINUTE - ASKED_EVERY);
      for (const asked of [timed.count(STREAM), timed.count(LIST)]) {
        expect(asked).toBeGreaterThanOrEqual(FEWEST);
        expect(asked).toBeLessThanOrEqual(MOST);
      }
    });

    // promises: PORTAL-12
    it('follows a recording on where its stream is open, and silent', async () => {
      const word = 'followed_in_silence';
      const ran = path.run(`SELECT 7 AS ${word}; SELECT pg_sleep(600)`, { correlation_id: word });
      await path.untilRunning(/pg_sleep/);
      const { data } = (await path.gateway.call('admin', 'GET', `/sessions?correlation_id=${word}`)).body;
      const id = data[0].id as string;
      const timed = await open('admin', `/sessions/${id}`);
      await timed.page.getByRole('log').getByText(`AS ${word}`).waitFor();
      await timed.stop();
      proxy.lead(muting.port);
      await cut(timed);
      await timed.pass(2);
      expect(timed.open).toBe(1);
      await path.gateway.call('admin', 'POST', `/sessions/${id}/kill`);
      await ran;
      const count = (): number => timed.count(`/sessions/${id}/stream`);
      const asked = count();
      // Allows two intervals, because the page waits longer if its stream delivered little before it fell
      // silent.
      await timed.passUntil('the page asks again', 2 * ASKED_EVERY + 1, async () => count() > asked);
      proxy.lead(Number(new URL(path.gateway.api).port));
      const all = timed.page.getByText('That is all.');
      await timed.passUntil('the recording is read to its end', 2 * ASKED_EVERY + 1, () => all.isVisible());
    });

    // promises: PORTAL-12
    it('asks no more often where the stream ends each time as soon as it begins', async () => {
      const { timed, connection, listed } = await openList();
      await timed.page.route(`**${STREAM}`, (route) =>
        route.fulfill({ contentType: 'text/event-stream', body: 'retry: 1000\n\n' }),
      );
      await cut(timed);
      await timed.pass(1);
      await path.ask(connection);
      await timed.pass(MINUTE - 1);
      expect(await listed.count()).toBe(2);
      expect(timed.count(STREAM)).toBeLessThanOrEqual(MOST);
      // The page also reads the list before each new stream, because the list may have changed.
      expect(timed.count(LIST)).toBeLessThanOrEqual(2 * MOST);
    });

    // promises: PORTAL-9, PORTAL-12
    it.each(REFUSALS)('does not beset a gateway that %s', async (_what, refuse) => {
      const { timed } = await openList();
      await timed.page.route(isApi, refuse);
      await cut(timed);
      await timed.pass(MINUTE);
      for (const asked of [timed.count(STREAM), timed.count(LIST)]) {
        expect(asked).toBeGreaterThanOrEqual(FEWEST);
        expect(asked).toBeLessThanOrEqual(MOST);
      }
      // Beside the stream and the list, the page also requests who is signed in.
      expect(timed.total).toBeLessThanOrEqual(2 * MOST + 2);
    });

    // promises: PORTAL-3
    it('says that nobody is there when it asks by itself for long, until somebody touches it', async () => {
      const { timed } = await openList();
      let marks: boolean[] = [];
      timed.page.on('request', (request) => {
        if (isApi(new URL(request.url()))) marks.push('x-gateway-portal-unattended' in request.headers());
      });
      proxy.lead(await freePort());
      await cut(timed);
      const marksOf = async (seconds: number): Promise<boolean[]> => {
        marks = [];
        await timed.pass(seconds);
        expect(marks.length).toBeGreaterThan(0);
        return [...new Set(marks)];
      };
      await timed.page.mouse.move(200, 200);
      expect(await marksOf(MINUTE / 2)).toEqual([false]);
      await timed.pass(MINUTE / 2);
      expect(await marksOf(2 * ASKED_EVERY)).toEqual([true]);
      await timed.page.mouse.move(300, 300);
      expect(await marksOf(2 * ASKED_EVERY)).toEqual([false]);
      await timed.pass(MINUTE);
      expect(await marksOf(2 * ASKED_EVERY)).toEqual([true]);
      await timed.page.keyboard.press('Shift');
      expect(await marksOf(2 * ASKED_EVERY)).toEqual([false]);
    });

    // promises: PORTAL-9
    it('waits as long as a busy gateway says', async () => {
      const { timed, connection, listed } = await openList();
      await timed.page.route(isApi, (route) => route.fulfill(json(503, '30')));
      await cut(timed);
      await timed.pass(MINUTE);
      // `Retry-After` is 30, so the page sends a request at once, and then every 30 seconds.
      expect(timed.count(STREAM)).toBeLessThanOrEqual(3);
      expect(timed.count(LIST)).toBeLessThanOrEqual(3);
      await path.ask(connection);
      await timed.page.unroute(isApi);
      await timed.passUntilTold(MINUTE / 2 + 1);
      expect(timed.open).toBe(1);
      await timed.pass(1);
      await listed.nth(1).waitFor();
    });
  }),
);
