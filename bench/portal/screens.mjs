// JavaScript that the first screen needs, and the time until lists of sessions appear.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bounded, median } from '../kit/figures.mjs';
import { freshPage, longestTask, until } from './browser.mjs';

const ASSETS = join(import.meta.dirname, '../../dist/portal/assets');
const ROUNDS = bounded('BENCH_ROUNDS', 5, 1, 100);
const ROWS = bounded('BENCH_ROWS', 10_000, 50, 100_000);
const ROW = 'main tbody tr';

/** Reports the time of the first row, in ms since the page was requested. */
const FIRST_ROW = `new MutationObserver((_, watching) => {
  if (document.querySelector(${JSON.stringify(ROW)}) === null) return;
  watching.disconnect();
  // The row is visible after the next frame.
  requestAnimationFrame(() => requestAnimationFrame(() => (globalThis.firstRow = performance.now())));
}).observe(document, { childList: true, subtree: true });`;

/**
 * Returns the kilobytes, compressed with gzip, of all scripts that the browser requests until the first
 * screen appears.
 */
export async function firstScreen(browser, state, { origin }) {
  const page = await freshPage(browser, state);
  const scripts = new Set();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith('.js')) scripts.add(pathname.split('/').at(-1));
  });
  await page.goto(origin);
  await page.locator(ROW).first().waitFor();
  await page.context().close();
  return [...scripts].reduce((sum, name) => sum + readFileSync(join(ASSETS, `${name}.gz`)).length, 0) / 1000;
}

/**
 * Measures, in milliseconds: the time from the navigation to the first rows of the list; the longest task
 * until then; and the longest task while `ROWS` rows are paged through.
 */
export async function sessionList(browser, state, { origin }) {
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    const page = await freshPage(browser, state, FIRST_ROW);
    await page.goto(`${origin}/sessions`);
    times.push(await until(page, 'globalThis.firstRow'));
    await page.context().close();
  }
  const page = await freshPage(browser, state);
  await page.goto(`${origin}/sessions`);
  await page.locator(ROW).first().waitFor();
  const ofLoad = await longestTask(page);
  await page.evaluate('longTasks.length = 0');
  const firstLink = () => page.locator(`${ROW} a`).first().getAttribute('href');
  for (let rows = await page.locator(ROW).count(); rows < ROWS; rows += await page.locator(ROW).count()) {
    const before = await firstLink();
    await page.getByRole('button', { name: 'Older', exact: true }).click();
    await until(
      page,
      `(document.querySelector('${ROW} a')?.getAttribute('href') ?? ${JSON.stringify(before)}) !== ${JSON.stringify(before)}`,
    );
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
  }
  const longest = await longestTask(page);
  await page.context().close();
  return { firstRows: median(times), longest, ofLoad };
}
