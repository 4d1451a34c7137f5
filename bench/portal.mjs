// npm run bench -- portal: measures how long people wait at the portal, in Chromium, with many sessions, a
// long recording and a large result.
import { loadavg } from 'node:os';
import { bounded, rounded } from './kit/figures.mjs';
import { hasChromium, signedIn, startBrowser } from './portal/browser.mjs';
import { resultGrid } from './portal/grid.mjs';
import { firstScreen, sessionList } from './portal/screens.mjs';
import { longRecording } from './portal/session.mjs';
import { seed } from './rest.mjs';
import { organization } from './sessions/list.mjs';

const SESSIONS = bounded('BENCH_SESSIONS', 1_000_000, 1_000, 3_000_000);
/** Target values, in the unit of each name. */
const AIMS = {
  'first screen, kB': 300,
  'first rows, ms': 1_000,
  'longest task, ms': 100,
  'first output, ms': 1_000,
  'memory, MB': 150,
  'frames a second': 50,
};

export default async function portal() {
  if (!hasChromium) {
    console.log('Chromium is not installed: nothing is measured');
    return { skipped: 'no Chromium' };
  }
  const gateway = await organization(SESSIONS);
  await seed(gateway);
  const browser = await startBrowser();
  const state = await signedIn(browser, gateway);
  const kilobytes = await firstScreen(browser, state, gateway);
  const list = await sessionList(browser, state, gateway);
  const recording = await longRecording(browser, state, gateway);
  const grid = await resultGrid(browser, state, gateway);
  return print(
    {
      'first screen, kB': kilobytes,
      'first rows, ms': list.firstRows,
      'longest task, ms': list.longest,
      'first output, ms': recording.firstOutput,
      'memory, MB': recording.memory,
      'frames a second': grid.frames,
    },
    { recording, grid, list },
  );
}

function print(figures, { recording, grid, list }) {
  console.log(
    `Chromium at a gateway with ${SESSIONS.toLocaleString()} sessions, load ${loadavg()[0].toFixed(1)}\n`,
  );
  console.log('                        figure       aim     ratio');
  const ratios = {};
  for (const [name, figure] of Object.entries(figures)) {
    const aim = AIMS[name];
    // Frames a second must be at least the aim, and every other figure at most.
    ratios[name] = rounded(name === 'frames a second' ? aim / figure : figure / aim);
    const cells = [figure.toFixed(0), String(aim), ratios[name].toFixed(2)].map((cell) => cell.padStart(9));
    console.log(`${name.padEnd(20)} ${cells.join(' ')}`);
  }
  console.log(
    `\nof the memory, ${recording.ofPage.toFixed(0)} MB are those of a page with a short recording; while the whole recording went through the page, in ${recording.whole.toFixed(1)} s, it took ${recording.memoryOfWhole.toFixed(0)} MB\nlongest task while rows of a result scroll ${grid.longest.toFixed(0)} ms, and while the list is loaded ${list.ofLoad.toFixed(0)} ms\n`,
  );
  return {
    ratios,
    figures: Object.fromEntries(Object.entries(figures).map(([name, one]) => [name, rounded(one)])),
  };
}
