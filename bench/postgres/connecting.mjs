// Cost of connecting: one client after another, and very many at once.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onEnd } from '../kit/ends.mjs';
import { median, quantile, rounded } from '../kit/figures.mjs';
import { processorSeconds } from '../kit/processes.mjs';
import { byTurns } from '../kit/rounds.mjs';

const ONE_AFTER_ANOTHER = 40;

function part(file, ...parameters) {
  const child = fork(join(import.meta.dirname, file), parameters.map(String), {
    env: { PATH: process.env.PATH },
  });
  onEnd(() => child.kill());
  return child;
}

/**
 * Measures the milliseconds until a client is admitted, and the processor time for each client, in ms, of the
 * process between client and target.
 */
async function oneAfterAnother({ name, url, pid }) {
  const before = processorSeconds(pid);
  const [{ times, failed }] = await once(part('crowd.mjs', url, ONE_AFTER_ANOTHER, 1), 'message');
  if (failed !== undefined) throw new Error(`${name}: ${failed}`);
  const used = processorSeconds(pid) - before;
  return { milliseconds: median(times), cost: (used / ONE_AFTER_ANOTHER) * 1e3 };
}

/**
 * Connects `count` clients at once to a target that admits every client, while another client runs short
 * queries on a real target.
 * @param crowd, bystander URLs for the many clients and for the other client
 * @returns the seconds until all clients were admitted; the share of clients admitted in the first half of
 * this time (0.5: an even pace); and the median and the 99th percentile of the short queries, in milliseconds
 */
export async function allAtOnce({ crowd, bystander }, count) {
  const other = part('bystander.mjs', bystander);
  await once(other, 'message');
  const [{ times, seconds, failed }] = await once(part('crowd.mjs', crowd, count, count), 'message');
  other.send('stop');
  const [waited] = await once(other, 'message');
  if (failed !== undefined) throw new Error(`a client of many was not let in: ${failed}`);
  const early = times.filter((time) => time < (seconds * 1000) / 2).length;
  return {
    seconds: rounded(seconds),
    afterHalfOfIt: rounded(early / count),
    bystanderP50: rounded(median(waited)),
    bystanderP99: rounded(quantile(waited, 0.99)),
  };
}

/**
 * Prints the cost of single clients and of many at once. Returns the figures: ratios to `direct`, and
 * `allAtOnce`.
 * @param count number of clients that connect at once
 */
export async function connecting(columns, { rounds, count, crowd }) {
  const all = Object.fromEntries(columns.map((column) => [column.name, column]));
  const of = await byTurns(all, rounds, oneAfterAnother);
  console.log('connecting, one after another');
  for (const [name, { milliseconds, cost }] of Object.entries(of)) {
    const times =
      of.direct === undefined ? '' : `, ${rounded(milliseconds / of.direct.milliseconds)} of direct`;
    const way = Number.isNaN(cost) ? '' : `, ${rounded(cost)} ms of processor on the way`;
    console.log(`  ${name.padEnd(12)} ${rounded(milliseconds)} ms${times}${way}`);
  }
  const figures = Object.fromEntries(
    Object.entries(of).map(([name, { milliseconds }]) => [
      `${name}_of_direct`,
      rounded(milliseconds / (of.direct?.milliseconds ?? Number.NaN)),
    ]),
  );
  if (all.guarded === undefined) return figures;
  const many = await allAtOnce({ crowd: await crowd(), bystander: all.guarded.url }, count);
  console.log(`${count} clients at once: ${JSON.stringify(many)}\n`);
  return { ...figures, [`at_once_${count}`]: many };
}

/** Starts a target that admits every client, and returns its port. */
export async function startGreeter() {
  const [port] = await once(part('greeter.mjs'), 'message');
  return port;
}
