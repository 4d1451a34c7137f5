// Chromium at the portal of a gateway, signed in as admin.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { onEnd } from '../kit/ends.mjs';

const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const program = PROGRAMS.find((path) => existsSync(path));
export const hasChromium = program !== undefined;

/** Runs in each page before its own scripts: collects the tasks of 50 ms and more. */
const WATCH = `globalThis.longTasks = [];
new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration)))
  .observe({ type: 'longtask', buffered: true });`;

export async function startBrowser() {
  // Without a home folder, Chromium leaves its settings in the folder for temporary files.
  const home = mkdtempSync(join(tmpdir(), 'gateway-bench-home-'));
  onEnd(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  const browser = await chromium.launch({
    executablePath: program,
    args: ['--no-sandbox'],
    env: {
      ...process.env,
      HOME: home,
      XDG_CONFIG_HOME: join(home, '.config'),
      XDG_CACHE_HOME: join(home, '.cache'),
    },
    // On these signals, the bench itself closes the browser.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  onEnd(() => browser.close());
  return browser;
}

/** Signs in, and returns the storage state of the browser. */
export async function signedIn(browser, { origin }) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(origin);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.locator('button[value="admin"]').click();
  await page.getByRole('navigation').waitFor();
  const storageState = await context.storageState();
  await context.close();
  return storageState;
}

/**
 * Opens a page without cached files of the portal.
 * @param script runs in the page before the page's own scripts
 */
export async function freshPage(browser, storageState, script = '') {
  const context = await browser.newContext({ storageState, viewport: { width: 1440, height: 900 } });
  await context.addInitScript(WATCH + script);
  return context.newPage();
}

/**
 * Waits until an expression in the page is truthy, and returns its value. The Content-Security-Policy of the
 * page forbids Playwright's own way to wait.
 */
export const until = (page, expression) =>
  page.evaluate(`new Promise((resolve) => {
    const look = () => {
      const value = ${expression};
      if (value) resolve(value);
      else requestAnimationFrame(look);
    };
    look();
  })`);

/** Returns the longest task so far, in ms. Tasks below 50 ms count as 0. */
export const longestTask = (page) => page.evaluate('Math.max(0, ...longTasks)');

/**
 * Watches the memory of the processes that show pages. Returns a function that ends the watch and returns the
 * peak in MB.
 */
export async function watchMemory(browser) {
  const session = await browser.newBrowserCDPSession();
  const renderers = async () => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
  };
  let peak = 0;
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) {
      peak = Math.max(peak, ...(await renderers()).map(privateMegabytes));
      await new Promise((again) => setTimeout(again, 100));
    }
  })();
  return async () => {
    over.abort();
    await watching;
    await session.detach();
    return peak;
  };
}

/**
 * Returns the private memory of a process in MB. Returns 0 when the process has ended, and on systems other
 * than Linux.
 */
function privateMegabytes(pid) {
  try {
    return Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
