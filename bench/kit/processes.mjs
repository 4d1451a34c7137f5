// Starts processes beside the bench, and measures their processor time.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onEnd } from './ends.mjs';

/**
 * Runs a file of the benches in a separate process, which is killed when the bench ends. If the process
 * fails, the bench fails.
 * @param file path from the folder `bench`
 */
export function startPart(file, args = []) {
  const child = fork(join(import.meta.dirname, '..', file), args, {
    env: { PATH: process.env.PATH, NODE_ENV: 'production' },
  });
  child.once('exit', (code) => {
    if (code > 0) throw new Error(`${file} ended with ${code}`);
  });
  onEnd(() => void child.kill());
  return child;
}

/**
 * Sends requests for some seconds, from a separate process.
 * @param options options of autocannon
 * @returns requests per second, and the latency of the median and of the 99th percentile in milliseconds
 * @throws when a request failed
 */
export async function load(options) {
  const child = startPart('kit/load.mjs');
  child.send(options);
  const [{ failed, ...figures }] = await once(child, 'message');
  if (failed > 0) throw new Error(`${options.url}: ${failed} requests failed`);
  return figures;
}

/**
 * The options of Node.js with which a process writes its CPU profile, if
 * `BENCH_PROFILE` names a folder for it.
 */
export function profiling() {
  const folder = process.env.BENCH_PROFILE;
  return folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`];
}

/**
 * Memory of a process and its living descendants in MB; pages that several of them share count once. NaN when
 * the system does not report it.
 */
export function memoryOf(pid) {
  try {
    const [, kib] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'));
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean);
    return children.reduce((sum, child) => sum + memoryOf(child), Number(kib) / 1024);
  } catch {
    return Number.NaN;
  }
}

/**
 * Seconds of processor time of a PostgreSQL server, including its ended connections. NaN when the system does
 * not report it.
 * @param dataDir folder of its `postmaster.pid`
 */
export function serverSeconds(dataDir) {
  try {
    const pid = Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
    return processorSeconds(pid) + endedSeconds(pid);
  } catch {
    return Number.NaN;
  }
}

/**
 * Returns the seconds of processor time of the ended children for which a process has waited. The kernel
 * counts them in hundredths of a second.
 */
function endedSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

/**
 * Returns the seconds of processor time of a process and its living descendants. NaN when the system has no
 * such file, or there is no such process. Uses the scheduler's sums (`schedstat`), because the times in
 * `stat` come from samples, which miss a process that wakes and sleeps between two samples.
 */
export function processorSeconds(pid) {
  if (pid === undefined) return Number.NaN;
  const folder = `/proc/${pid}/task`;
  try {
    return readdirSync(folder).reduce((total, thread) => {
      const told = (file) => readFileSync(join(folder, thread, file), 'latin1');
      const started = told('children').split(' ').filter(Boolean).map(processorSeconds);
      return started.reduce(
        (sum, seconds) => sum + seconds,
        total + Number(told('schedstat').split(' ')[0]) / 1e9,
      );
    }, 0);
  } catch {
    return Number.NaN;
  }
}
