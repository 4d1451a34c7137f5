// The page of a session with a long recording: the time until its first output appears, and its memory.
import { Client } from 'pg';
import { bounded, median } from '../kit/figures.mjs';
import { begun, recording } from '../sessions/recording.mjs';
import { freshPage, until, watchMemory } from './browser.mjs';

const ROUNDS = bounded('BENCH_ROUNDS', 5, 1, 100);
/** Size of the recording: at least 1 MB more than the page reads of a recording at first. */
const MEGABYTES = bounded('BENCH_RECORDING_MB', 50, 4, 1_000);
const PIECE = 64 * 1024;

const FIRST_OUTPUT = `new MutationObserver((_, watching) => {
  if (document.querySelector('[role=log] pre') === null) return;
  watching.disconnect();
  requestAnimationFrame(() => requestAnimationFrame(() => (globalThis.firstOutput = performance.now())));
}).observe(document, { childList: true, subtree: true });`;

/**
 * Measures the page of a session with a long recording. `firstOutput`: milliseconds from the navigation to
 * the first output. `memory`: peak in MB until the page shows the first portion of the recording; `ofPage`:
 * the peak with a short recording. `whole`: seconds until the page has read the whole recording;
 * `memoryOfWhole`: the peak meanwhile.
 */
export async function longRecording(browser, state, gateway) {
  const short = await record(gateway, 0);
  const long = await record(gateway, MEGABYTES);
  const figures = { firstOutput: [], memory: [], ofPage: [], whole: [], memoryOfWhole: [] };
  for (let round = 0; round < ROUNDS; round++) {
    figures.ofPage.push(
      (await open(browser, state, `${gateway.origin}/sessions/${short}`, 'That is all.')).memory,
    );
    const one = await open(
      browser,
      state,
      `${gateway.origin}/sessions/${long}`,
      'More follows.',
      async (page) => {
        const startedAt = performance.now();
        const memory = await watchMemory(browser);
        await page.getByRole('button', { name: 'Read to the end', exact: true }).click();
        await page.getByText('That is all.').waitFor({ timeout: 120_000 });
        figures.whole.push((performance.now() - startedAt) / 1000);
        figures.memoryOfWhole.push(await memory());
      },
    );
    figures.firstOutput.push(one.firstOutput);
    figures.memory.push(one.memory);
  }
  return Object.fromEntries(Object.entries(figures).map(([name, values]) => [name, median(values)]));
}

/** Opens a page, measures it until it shows the text `says`, and then calls `more`. */
async function open(browser, state, address, says, more = async () => undefined) {
  const memory = await watchMemory(browser);
  const page = await freshPage(browser, state, FIRST_OUTPUT);
  await page.goto(address);
  const firstOutput = await until(page, 'globalThis.firstOutput');
  await page.getByText(says).waitFor({ timeout: 120_000 });
  const measured = { firstOutput, memory: await memory() };
  await more(page);
  await page.context().close();
  return measured;
}

/** Records a session with the rows of a query, and returns its id. */
async function record(gateway, megabytes) {
  const client = new Client({ connectionString: gateway.postgres.url('gateway') });
  await client.connect();
  const recorder = await recording(gateway.postgres.url('gateway'), 'store');
  const { id, orgId } = await begun(client);
  const trail = recorder.trail({ id, orgId });
  await trail.append('i', 'SELECT * FROM customers');
  for (let size = 0, row = 0; size < megabytes * 1e6;) {
    let piece = '';
    for (; piece.length < PIECE - 200; row++)
      piece += `${row}\tcustomer ${(row * 7919) % 100_003}\tuser${row % 977}@example.com\t${((row * 31) % 99_991) / 100}\tnote ${(row * 104_729).toString(36)}\n`;
    await trail.append('o', piece);
    size += piece.length;
  }
  await trail.end(0);
  await recorder.close();
  await client.query(`UPDATE sessions SET status = 'done', end_date = now(), exit_code = 0 WHERE id = $1`, [
    id,
  ]);
  await client.end();
  return id;
}
