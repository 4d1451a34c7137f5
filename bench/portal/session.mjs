// The page of a session with a long recording: when its first output is there, and what it takes of memory.
import { Client } from 'pg';
import { bounded, median } from '../kit/figures.mjs';
import { begun, recording } from '../sessions/recording.mjs';
import { freshPage, until, watchMemory } from './browser.mjs';

const ROUNDS = bounded('BENCH_ROUNDS', 5, 1, 100);
const MEGABYTES = bounded('BENCH_RECORDING_MB', 50, 1, 1_000);
const PIECE = 64 * 1024;

const FIRST_OUTPUT = `new MutationObserver((_, watching) => {
  if (document.querySelector('[role=log] pre') === null) return;
  watching.disconnect();
  requestAnimationFrame(() => requestAnimationFrame(() => (globalThis.firstOutput = performance.now())));
}).observe(document, { childList: true, subtree: true });`;

/** Milliseconds from the navigation to the first output, seconds until all was read, and the most memory meanwhile in MB. */
export async function longRecording(browser, state, gateway) {
  const id = await record(gateway);
  const figures = { firstOutput: [], whole: [], memory: [] };
  for (let round = 0; round < ROUNDS; round++) {
    const memory = await watchMemory(browser);
    const page = await freshPage(browser, state, FIRST_OUTPUT);
    const startedAt = performance.now();
    await page.goto(`${gateway.origin}/sessions/${id}`);
    figures.firstOutput.push(await until(page, 'globalThis.firstOutput'));
    await page.getByText('That is all.').waitFor({ timeout: 120_000 });
    figures.whole.push((performance.now() - startedAt) / 1000);
    figures.memory.push(await memory());
    await page.context().close();
  }
  return Object.fromEntries(Object.entries(figures).map(([name, values]) => [name, median(values)]));
}

/** A session with rows as a query brings them. */
async function record(gateway) {
  const client = new Client({ connectionString: gateway.postgres.url('gateway') });
  await client.connect();
  const recorder = await recording(gateway.postgres.url('gateway'), 'store');
  const { id, orgId } = await begun(client);
  const trail = recorder.trail({ id, orgId });
  await trail.append('i', 'SELECT * FROM customers');
  for (let size = 0, row = 0; size < MEGABYTES * 1e6;) {
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
