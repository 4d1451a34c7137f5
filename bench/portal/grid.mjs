// Smoothness of scrolling through 100 000 rows of a result.
import { bounded, median } from '../kit/figures.mjs';
import { freshPage, longestTask } from './browser.mjs';

const ROUNDS = bounded('BENCH_ROUNDS', 5, 1, 100);
const SECONDS = bounded('BENCH_SECONDS', 4, 1, 60);
const ROWS = bounded('BENCH_RESULT_ROWS', 100_000, 1_000, 1_000_000);
/** The rows are short, so that the whole result stays below the limit of an answer, 1 MiB. */
const SCRIPT = `SELECT n, n % 7 AS d FROM generate_series(1, ${ROWS}) AS n`;

/** Scrolls a screen or so with each frame, down and up again. */
const SCROLL = `(seconds) => new Promise((resolve) => {
  const grid = document.querySelector('[role=table][aria-label=Result]');
  const end = performance.now() + seconds * 1000;
  const begun = performance.now();
  let frames = 0;
  let step = 700;
  const frame = () => {
    frames++;
    if (grid.scrollTop + grid.clientHeight >= grid.scrollHeight - 1) step = -700;
    if (grid.scrollTop === 0) step = 700;
    grid.scrollTop += step;
    if (performance.now() < end) requestAnimationFrame(frame);
    else resolve(frames / ((performance.now() - begun) / 1000));
  };
  requestAnimationFrame(frame);
})`;

/** Returns the frames per second, and the longest task in ms. */
export async function resultGrid(browser, state, { origin }) {
  const frames = [];
  const page = await freshPage(browser, state);
  await page.goto(`${origin}/run?connection=target`);
  await page.getByRole('textbox', { name: 'SQL', exact: true }).fill(SCRIPT);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByText(`${ROWS.toLocaleString('en-US')} rows`).waitFor();
  for (let round = 0; round < ROUNDS; round++) {
    await page.evaluate('longTasks.length = 0');
    frames.push(await page.evaluate(`(${SCROLL})(${SECONDS})`));
  }
  const longest = await longestTask(page);
  await page.context().close();
  return { frames: median(frames), longest };
}
