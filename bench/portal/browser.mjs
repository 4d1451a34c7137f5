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
  // Without a home, Chromium writes its settings where temporary files are, and leaves them.
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
    // The bench ends what it started by itself.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  onEnd(() => browser.close());
  return browser;
}

/** State of a browser after a sign-in. */
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
 * A page of a browser that keeps no file of the portal yet.
 * @param script runs in the page before its own
 */
export async function freshPage(browser, storageState, script = '') {
  const context = await browser.newContext({ storageState, viewport: { width: 1440, height: 900 } });
  await context.addInitScript(WATCH + script);
  return context.newPage();
}

/**
 * The value of an expression in the page once it is one. The policy of the page refuses Playwright's own way
 * to wait for it.
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

/** The longest task so far, in ms; those below 50 count as 0. */
export const longestTask = (page) => page.evaluate('Math.max(0, ...longTasks)');

/** Watches the memory of the process that shows a page. */
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
 * Private memory of a process in MB. 0 when the system does not report it (Linux does), and when the process
 * is gone.
 */
function privateMegabytes(pid) {
  try {
    return Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
