import { existsSync } from 'node:fs';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
  chromium,
} from 'playwright-core';
import type { Person, TestGateway } from './gateway';

const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/**
 * Chromium without windows. A page costs a third of the processor time that it costs in the whole browser,
 * but no profile is stored.
 */
const SHELL = '/usr/bin/chromium-headless-shell';
const wholeBrowser = PROGRAMS.find((path) => existsSync(path));
const program = process.env['TEST_CHROMIUM'] ?? [SHELL, wholeBrowser].find((path) => existsSync(path ?? ''));

/** `describe` for tests that need a browser; without one, they are skipped with a printed reason. */
export const describeInBrowser: (title: string, body: () => void) => void = (title, body) => {
  if (program !== undefined) return describe(title, body);
  return describe.skip(
    `${title} (skipped: no Chromium is installed; npm run test:portal needs it too)`,
    body,
  );
};

/** `it` for tests that need a browser with a profile. */
export const itInWholeBrowser: (title: string, test: () => Promise<void>) => void = (title, test) => {
  if (wholeBrowser !== undefined) return it(title, test);
  return it.skip(`${title} (skipped: chromium-headless-shell keeps no profile; it needs chromium)`, test);
};

/**
 * Factor by which the browser is slowed down. A factor of 6 finds tests that look at a page before it is
 * complete.
 */
const SLOWNESS = Number(process.env['TEST_BROWSER_SLOWNESS'] ?? 1);
/**
 * Milliseconds by which pages read the bodies of answers late, as on a busy machine. 300 finds tests that
 * take a request for complete when its answer has arrived.
 */
const READS_LATE_MS = Number(process.env['TEST_BROWSER_READS_LATE_MS'] ?? 0);
/** JavaScript for pages. It takes the timer of the browser, because tests replace that of the page. */
const LATE_READING = `{
  const later = setTimeout.bind(window);
  for (const name of ['arrayBuffer', 'blob', 'json', 'text']) {
    const read = Response.prototype[name];
    Response.prototype[name] = async function () {
      await new Promise((done) => later(done, ${READS_LATE_MS}));
      return read.call(this);
    };
  }
}`;

export async function startChromium(args: readonly string[] = []): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: program ?? '', args: ['--no-sandbox', ...args] });
  if (SLOWNESS > 1) browser.on('context', (context) => context.on('page', (page) => void slowDown(page)));
  if (READS_LATE_MS > 0) browser.on('context', (context) => void context.addInitScript(LATE_READING));
  return browser;
}

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWNESS });
}

/** Starts the whole browser with the given profile folder. The test may have filled the folder before. */
export async function startChromiumIn(profile: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(profile, {
    executablePath: wholeBrowser ?? '',
    args: ['--no-sandbox'],
  });
}

/** Collects what the browser reports: scripts that failed, and what the policy of the page refused. */
export function reportFaults(page: Page, faults: string[]): void {
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) faults.push(message.text());
  });
}

/** A person in a browser at the portal. */
export interface Visitor {
  readonly page: Page;
  /**
   * Errors that the browser reported: scripts that failed, and requests that the policy of the page refused.
   */
  readonly faults: string[];
  close(): Promise<void>;
}

/** Opens a page of the portal and signs that person in. */
export async function visit(
  browser: Browser,
  gateway: TestGateway,
  person: Person,
  path = '/',
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const faults: string[] = [];
  reportFaults(page, faults);
  await page.goto(new URL(path, gateway.api).href);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator(`button[value="${person}"]`).click();
  await page.waitForURL(`${new URL(gateway.api).origin}/**`);
  return { page, faults, close: () => context.close() };
}
