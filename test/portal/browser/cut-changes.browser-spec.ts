import type { Browser, BrowserContext, Page } from 'playwright-core';
import { describeInBrowser, reportFaults, startChromium } from '../../support/chromium';
import { eventually } from '../../support/eventually';
import type { Person } from '../../support/gateway';
import { createRule, denyWords } from '../../support/guardrails';
import { expectSoon } from '../../support/portal/expect-soon';
import { accountOf } from '../../support/portal/journeys';
import { type ReviewPath, startReviewPath } from '../../support/review-path';
import { scoped } from '../../support/scoped';
import { type TcpProxy, startTcpProxy } from '../../support/tcp-proxy';

const CHANGE = /^(POST|PUT|PATCH|DELETE) (?!.*script-check)/;
const UNSENT = 'You are offline: this was not done, and will not be done later by itself.';
const UNCLEAR = 'No answer came: this may have been done, or not.';

/** A change that a person makes on a page. */
interface Change {
  readonly person: Person;
  readonly at: string;
  /** Prepares the page for `act`, which sends the request. */
  readonly ready: (page: Page) => Promise<void>;
  readonly act: (page: Page) => Promise<void>;
  /** Reads the state that the change affects, from the gateway. */
  readonly state: () => Promise<unknown>;
  readonly before: unknown;
  readonly after: unknown;
  /** The text that the page shows after the change, unless it shows `UNCLEAR`. */
  readonly shows?: string;
}

/** The network between a browser and the gateway is cut while a person changes something. */
describeInBrowser(
  'a change at the portal',
  scoped((begin) => {
    const path: ReviewPath = begin(startReviewPath);
    /** Request ids of the changes that reached the gateway. */
    let received: string[] = [];
    let answers: 'come' | 'are lost after a change' | 'are lost' = 'come';
    let rewrite = (text: string): string => text;
    const proxy: TcpProxy = begin(() =>
      startTcpProxy('127.0.0.1', Number(new URL(path.gateway.api).port), {
        toTarget: (bytes) => {
          const text = bytes.toString('latin1');
          if (!CHANGE.test(text)) return bytes;
          received.push(/x-gateway-portal-request: (\S+)/i.exec(text)?.[1] ?? 'none');
          if (answers === 'are lost after a change') answers = 'are lost';
          return Buffer.from(rewrite(text), 'latin1');
        },
        fromTarget: (bytes) => (answers === 'are lost' ? Buffer.alloc(0) : bytes),
      }),
    );
    const browser: Browser = begin(() => {
      const { host } = new URL(path.gateway.api);
      return startChromium([`--host-resolver-rules=MAP ${host} 127.0.0.1:${proxy.port}`]);
    });
    let opened: BrowserContext[] = [];
    let faults: string[] = [];

    beforeEach(() => {
      [received, answers, rewrite] = [[], 'come', (text) => text];
    });
    afterEach(async () => {
      proxy.freeze(false);
      await Promise.all(opened.map((context) => context.close()));
      expect(faults).toEqual([]);
      [opened, faults] = [[], []];
    });

    async function open({ person, at }: Change): Promise<Page> {
      const context = await browser.newContext();
      opened.push(context);
      const page = await context.newPage();
      reportFaults(page, faults);
      await page.goto(new URL(at, path.gateway.api).href);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await accountOf(page, person).click();
      await page.getByRole('navigation').waitFor();
      return page;
    }

    const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click();
    const sure = (name: string) => ({
      ready: async (page: Page) => {
        await page.getByRole('button', { name }).first().click();
        await page.getByRole('dialog').getByText(name).first().waitFor();
      },
      act: (page: Page) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click(),
    });

    async function run(script = 'SELECT 8 AS eight'): Promise<Change> {
      const name = `run-${++count}`;
      await path.connect(name, { access_schema: 'disabled' });
      return {
        person: 'alice',
        at: `/run?connection=${name}`,
        ready: (page) => page.getByRole('textbox', { name: 'SQL', exact: true }).fill(script),
        act: press('Run'),
        state: async () =>
          (
            await path.sql<{ n: number }>('SELECT count(*)::int n FROM sessions WHERE connection_name = $1', [
              name,
            ])
          )[0]?.n,
        before: 0,
        after: 1,
      };
    }

    async function decision(button: string, before: string, after: string): Promise<Change> {
      const { id } = await path.ask(await path.reviewed());
      if (before === 'APPROVED') await path.say('bob', id, { status: 'APPROVED' });
      return {
        person: 'bob',
        at: `/reviews/${id}`,
        ready: (page) => page.getByRole('button', { name: button, exact: true }).waitFor(),
        act: press(button),
        state: async () => (await path.by('bob', 'GET', `/reviews/${id}`)).body.status,
        before,
        after,
      };
    }

    async function kill(): Promise<Change> {
      const name = `kill-${++count}`;
      const running = path.run('SELECT pg_sleep(600)', { correlation_id: name }, 'alice');
      running.catch(() => undefined);
      const id = await eventually('it runs', async () => {
        const { body } = await path.gateway.call('alice', 'GET', `/sessions?correlation_id=${name}`);
        return body.data[0]?.id as string | undefined;
      });
      return {
        person: 'alice',
        at: `/sessions/${id}`,
        ...sure('End the session'),
        state: async () => (await path.gateway.call('alice', 'GET', `/sessions/${id}`)).body.status,
        before: 'open',
        after: 'done',
        // The page of an ended session has no button for the kill, and so no message beside the button.
        shows: 'That is all.',
      };
    }

    async function deletion(): Promise<Change> {
      const id = await createRule(path.gateway, { name: `deleted-${++count}`, input: denyWords(['drop']) });
      return {
        person: 'admin',
        at: `/guardrails/${id}`,
        ...sure('Delete'),
        state: async () => (await path.gateway.call('admin', 'GET', `/guardrails/${id}`)).status,
        before: 200,
        after: 404,
      };
    }

    let count = 0;
    const CHANGES: readonly (readonly [string, () => Promise<Change>])[] = [
      ['Run', () => run()],
      ['Approve', () => decision('Approve', 'PENDING', 'APPROVED')],
      ['Revoke', () => decision('Revoke the approval', 'APPROVED', 'REVOKED')],
      ['End the session', kill],
      ['Delete', deletion],
    ];
    /**
     * Waits until the page is online and has sent requests. By then, it would also have sent a stored change.
     */
    const isOnlineAgain = async (page: Page): Promise<void> => {
      await page.getByText('You are offline.').waitFor({ state: 'detached' });
      await page
        .getByRole('link', { name: 'My sessions' })
        .or(page.getByRole('link', { name: 'Sessions' }))
        .first()
        .waitFor();
      await page.waitForTimeout(1_500);
    };

    // promises: PORTAL-14
    it.each(CHANGES)('that is made offline is never sent, in two tabs: %s', async (_name, prepare) => {
      const change = await prepare();
      const first = await open(change);
      const second = await first.context().newPage();
      await second.goto(first.url());
      for (const page of [first, second]) await change.ready(page);
      await first.context().setOffline(true);
      for (const page of [first, second]) {
        await page.getByText('You are offline. What you do now is not sent').waitFor();
        await change.act(page);
        await page.getByRole('alert').getByText(UNSENT).waitFor();
        expect(await page.getByRole('button', { name: 'Cancel the script' }).count()).toBe(0);
      }
      await first.context().setOffline(false);
      for (const page of [first, second]) await isOnlineAgain(page);
      expect([await change.state(), received]).toEqual([change.before, []]);
      await change.act(first);
      await eventually(
        'it is done when it is asked for',
        async () => (await change.state()) === change.after,
      );
      // After another cut of the network, neither tab must send the change again.
      await first.context().setOffline(true);
      proxy.cut();
      await first.context().setOffline(false);
      for (const page of [first, second]) await isOnlineAgain(page);
      expect([await change.state(), new Set(received).size]).toEqual([change.after, 1]);
    });

    // promises: PORTAL-14
    it.each(CHANGES)(
      'whose answer is lost is made once, and the page says what is so: %s',
      async (_name, prepare) => {
        const change = await prepare();
        const page = await open(change);
        await change.ready(page);
        answers = 'are lost after a change';
        await change.act(page);
        await eventually('it is done', async () => (await change.state()) === change.after);
        answers = 'come';
        // The browser itself repeats the request on a new connection.
        proxy.cut();
        await page.getByText(change.shows ?? UNCLEAR).waitFor();
        await page.waitForTimeout(1_000);
        expect(await change.state()).toEqual(change.after);
        expect([received.length > 0, new Set(received).size]).toEqual([true, 1]);
        expect(received).not.toContain('none');
      },
    );

    // promises: PORTAL-14
    it('that began without an answer leads to its session', async () => {
      const change = await run('SELECT pg_sleep(600) AS cut');
      const page = await open(change);
      await change.ready(page);
      await change.act(page);
      await path.untilRunning(/AS cut/);
      proxy.cut();
      await page.getByText('The gateway has it.').waitFor();
      await page.getByRole('status').getByRole('link', { name: 'The session' }).click();
      await page.getByRole('log').getByText('AS cut').waitFor();
      expect(await change.state()).toBe(1);
      await sure('End the session').ready(page);
      await sure('End the session').act(page);
      await page.getByText('That is all.').waitFor();
    });

    // promises: PORTAL-14
    it('that the network kept, and that was cancelled meanwhile, never runs', async () => {
      const change = await run();
      const page = await open(change);
      await change.ready(page);
      proxy.freeze(true);
      await change.act(page);
      await press('Cancel the script')(page);
      await page
        .getByText(/^Cancelled\.|The gateway is asked whether/)
        .first()
        .waitFor();
      proxy.freeze(false);
      await page.getByText('Cancelled. The gateway has not begun it').waitFor();
      await page.waitForTimeout(3_000);
      expect(await change.state()).toBe(0);
    });

    // promises: PORTAL-14
    it.each(CHANGES)('that arrives a minute late is refused in words: %s', async (_name, prepare) => {
      const change = await prepare();
      const page = await open(change);
      await change.ready(page);
      rewrite = (text) =>
        text.replace(
          /(x-gateway-portal-sent: )(\d+)/i,
          (_all, name: string, at: string) => `${name}${Number(at) - 61_000}`,
        );
      await change.act(page);
      await page.getByText(/this arrived \d+ seconds after it was sent, and was not done/).waitFor();
      await expectSoon(change.state, change.before);
    });
  }),
);
