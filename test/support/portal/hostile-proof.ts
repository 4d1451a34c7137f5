import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Person, TestGateway } from '../gateway';
import type { HostileFields } from './hostile-fields';
import { Tour } from './tour';
import { Walker } from './walker';
import { WatchedPage } from './watched-page';

/** A page under test, with functions that show hostile texts on it and check the result. */
export interface Proof {
  readonly page: Page;
  readonly watched: WatchedPage;
  readonly tour: Tour;
  /** Opens an address with a full page load, and inspects the page. */
  open(path: string): Promise<void>;
  /** Opens one tab of a session's page, and inspects the page only while this tab is shown. */
  openTab(session: string, name: string): Promise<void>;
  /** Fails if a string did more than appear as text, or did not appear at all. Prints the counts. */
  expectAll(fields: HostileFields): void;
  close(): Promise<void>;
}

/** Signs a person in on a page that detects attacks (watched-page.ts). */
export async function startProof(
  browser: Browser,
  gateway: TestGateway,
  person: Person,
  options: BrowserContextOptions = {},
): Promise<Proof> {
  const { origin } = new URL(gateway.api);
  const context = await browser.newContext({ viewport: { width: 1440, height: 2_000 }, ...options });
  const watched = await WatchedPage.of(context, [origin, new URL(gateway.provider.issuer).origin]);
  const { page } = watched;
  const walker = new Walker(page, gateway.api);
  await page.goto(origin);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.locator(`button[value="${person}"]`).click();
  await page.waitForURL(`${origin}/**`);
  await page.getByRole('navigation').waitFor();
  await walker.settled();
  const tour = new Tour(watched, walker);
  return {
    page,
    watched,
    tour,
    open: async (path) => {
      await page.goto(new URL(path, origin).href);
      await page.getByRole('status').first().waitFor();
      await watched.look();
    },
    openTab: async (session, name) => {
      await page.goto(new URL(session, origin).href);
      await page.getByRole('log').waitFor();
      await page.getByRole('tab', { name, exact: true }).click();
      await tour.seen();
    },
    expectAll: ({ all }) => {
      const unseen = all.flatMap(({ name, what, texts }) =>
        watched.unseen(name, texts).map((text) => `${what}: ${JSON.stringify(text)}`),
      );
      expect({ faults: [...watched.faults], unseen }).toEqual({ faults: [], unseen: [] });
      for (const { what, texts } of all) expect([what, texts.length >= 300]).toEqual([what, true]);
      const strings = all.reduce((sum, { texts }) => sum + texts.length, 0);
      process.stdout.write(
        `${all.length} fields, ${strings} strings shown as text on ${tour.screens} screens (${watched.looks} looks); scripts run 0, reports 0\n`,
      );
    },
    close: () => context.close(),
  };
}
